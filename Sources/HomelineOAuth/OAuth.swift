/// The namespace for names in this library that are so general that they could collide with your own.
public enum OAuth {}
