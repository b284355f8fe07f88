print("homeline")
