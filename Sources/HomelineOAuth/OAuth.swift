/// A namespace for those types of this library whose names are general enough to collide with yours.
public enum OAuth {}
