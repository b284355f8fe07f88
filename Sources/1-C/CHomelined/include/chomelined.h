// Declares the libraries that homelined loads at run time. LateBindingTests compares them with those that it really loads.
#pragma once
