// Declares the libraries that homeline loads at run time. LateBindingTests compares them with those that it really loads.
#pragma once
