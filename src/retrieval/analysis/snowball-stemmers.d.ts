declare module 'snowball-stemmers' {
  /** `porter` is the original stemmer of Porter, `english` its successor. */
  export type Algorithm = 'porter' | 'english' | 'german';

  const snowball: {
    newStemmer(algorithm: Algorithm): { stem(word: string): string };
  };
  export default snowball;
}
