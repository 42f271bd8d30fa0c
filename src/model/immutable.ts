/** A value with everything in it read-only, as the nouns of `model` are. */
export type Immutable<T> = unknown extends T ? T : { readonly [Key in keyof T]: Immutable<T[Key]> };
