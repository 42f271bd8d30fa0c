/**
 * Scores by number (of a chunk or a document), 0 where there is none, with a list of the numbers that have
 * one. It is filled and cleared by every search again, since a new one for each would cost more than the search.
 */
export interface Scoreboard {
  readonly scores: Float64Array;
  readonly touched: Uint32Array;
  touchedCount: number;
}

/** Documents' scores, each with the chunk that the score is from. */
export interface DocumentScoreboard extends Scoreboard {
  readonly bestChunks: Uint32Array;
}

/** The scoreboards that all searches of an index share. No search may wait for anything while it uses them. */
export interface Workspace {
  readonly chunks: Scoreboard;
  readonly bm25: DocumentScoreboard;
  readonly vector: DocumentScoreboard;
}

export function createWorkspace(chunkCount: number, documentCount: number): Workspace {
  return {
    chunks: createScoreboard(chunkCount),
    bm25: createDocumentScoreboard(documentCount),
    vector: createDocumentScoreboard(documentCount),
  };
}

/** Every search clears before it writes: what a search that broke off left behind cannot reach the next one. */
export function clearScores(board: Scoreboard): void {
  for (const item of getTouched(board)) board.scores[item] = 0;
  board.touchedCount = 0;
}

/** The numbers that have a score, in no order. */
export function getTouched({ touched, touchedCount }: Scoreboard): Uint32Array {
  return touched.subarray(0, touchedCount);
}

/** Adds a score above 0 to the one that is there. */
export function addScore(board: Scoreboard, item: number, score: number): void {
  const { scores } = board;
  const before = scores[item] as number;
  if (before === 0) {
    board.touched[board.touchedCount] = item;
    board.touchedCount += 1;
  }
  scores[item] = before + score;
}

/** Keeps a document's best chunk: the higher score, and of equal ones the lower number. */
export function offerChunk(
  board: DocumentScoreboard,
  document: number,
  chunk: { readonly number: number; readonly score: number },
): void {
  const best = board.scores[document] as number;
  if (best === 0) addScore(board, document, chunk.score);
  else if (chunk.score < best) return;
  else if (chunk.score === best && chunk.number > (board.bestChunks[document] as number)) return;
  board.scores[document] = chunk.score;
  board.bestChunks[document] = chunk.number;
}

function createScoreboard(size: number): Scoreboard {
  return { scores: new Float64Array(size), touched: new Uint32Array(size), touchedCount: 0 };
}

function createDocumentScoreboard(size: number): DocumentScoreboard {
  return { ...createScoreboard(size), bestChunks: new Uint32Array(size) };
}
