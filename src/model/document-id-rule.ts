/** Where a chunk's document id is read from. A configuration lists them; the first that gives an id counts. */
export type DocumentIdRule =
  | {
      readonly from: 'chunkMetadata' | 'documentMetadata';
      readonly key: string;
      readonly pattern?: string | undefined;
    }
  | {
      readonly from: 'documentId';
      readonly pattern?: string | undefined;
    }
  | {
      readonly from: 'chunkId';
      readonly pattern?: string | undefined;
    };
