print("homelined")
