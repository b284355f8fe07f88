/// The namespace for types of this library whose names are so general that they could collide with yours.
public enum OAuth {}
