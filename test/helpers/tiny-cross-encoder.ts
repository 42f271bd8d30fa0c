import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words the model knows; a word's place is its number. */
const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/**
 * Writes a cross-encoder into a folder, in the files of Hugging Face's libraries. Its logit is the number of
 * pairs of equal tokens, one of the question and one of the passage, and 1 for the two separators: the words
 * "a a b" and "a b b b" make 2·1 + 1·3 + 1. All words it does not know are equal to each other.
 */
export function writeTinyCrossEncoder(
  folder: string,
  words: readonly string[],
  { labels = 1 }: { readonly labels?: number } = {},
): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeJson(join(folder, 'config.json'), {
    architectures: ['BertForSequenceClassification'],
    model_type: 'bert',
    vocab_size: specials.length + words.length,
  });
  writeJson(join(folder, 'tokenizer_config.json'), {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 512,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  });
  writeJson(join(folder, 'tokenizer.json'), describeTokenizer(words));
  writeFileSync(join(folder, 'onnx', 'model.onnx'), encodeModel(labels));
}

function writeJson(path: string, content: object): void {
  writeFileSync(path, JSON.stringify(content));
}

function describeTokenizer(words: readonly string[]): object {
  const vocab = Object.fromEntries([...specials, ...words].map((word, id) => [word, id]));
  const special = (token: string) => ({
    id: token,
    ids: [specials.indexOf(token)],
    tokens: [token],
  });
  const first = [
    piece('SpecialToken', '[CLS]', 0),
    piece('Sequence', 'A', 0),
    piece('SpecialToken', '[SEP]', 0),
  ];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specials.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: first,
      pair: [...first, piece('Sequence', 'B', 1), piece('SpecialToken', '[SEP]', 1)],
      special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
    },
    decoder: null,
    model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
  };
}

function piece(kind: 'SpecialToken' | 'Sequence', id: string, type: number): object {
  return { [kind]: { id, type_id: type } };
}

/** ONNX's numbers of types. */
const float = 1;
const int64 = 7;

/** Opset 13 of ONNX. With q = mask·(1 − type) and p = mask·type, the logit is Σ q[i]·p[j]·(ids[i] = ids[j]). */
function encodeModel(labels: number): Buffer {
  const nodes = [
    node('Cast', ['attention_mask'], 'mask', [attribute('to', float)]),
    node('Cast', ['token_type_ids'], 'type', [attribute('to', float)]),
    node('Mul', ['mask', 'type'], 'p'),
    node('Sub', ['mask', 'p'], 'q'),
    node('Unsqueeze', ['input_ids', 'two'], 'rows'),
    node('Unsqueeze', ['input_ids', 'one'], 'columns'),
    node('Equal', ['rows', 'columns'], 'same'),
    node('Cast', ['same'], 'equal', [attribute('to', float)]),
    node('Unsqueeze', ['q', 'two'], 'qRows'),
    node('Unsqueeze', ['p', 'one'], 'pColumns'),
    node('Mul', ['equal', 'qRows'], 'ofQuestion'),
    node('Mul', ['ofQuestion', 'pColumns'], 'pairs'),
    node('ReduceSum', ['pairs', 'both'], 'sums', [attribute('keepdims', 0)]),
    node('Unsqueeze', ['sums', 'one'], 'column'),
    node(
      'Concat',
      Array.from({ length: labels }, () => 'column'),
      'logits',
      [attribute('axis', 1)],
    ),
  ];
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'];
  const graph = [
    ...nodes.map((encoded) => bytes(1, encoded)),
    text(2, 'pairs of equal tokens'),
    ...[['one', [1]] as const, ['two', [2]] as const, ['both', [1, 2]] as const].map(
      ([name, values]) => bytes(5, constant(name, values)),
    ),
    ...inputs.map((name) => bytes(11, tensor(name, int64, ['batch', 'sequence']))),
    bytes(12, tensor('logits', float, ['batch', labels])),
  ];
  return Buffer.concat([
    integer(1, 8),
    bytes(7, Buffer.concat(graph)),
    bytes(8, Buffer.concat([text(1, ''), integer(2, 13)])),
  ]);
}

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Buffer[] = [],
): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, operator),
    ...attributes.map((encoded) => bytes(5, encoded)),
  ]);
}

/** A whole number; 2 is ONNX's number of that kind of attribute. */
function attribute(name: string, value: number): Buffer {
  return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
}

function constant(name: string, values: readonly number[]): Buffer {
  return Buffer.concat([
    integer(1, values.length),
    integer(2, int64),
    ...values.map((value) => integer(7, value)),
    text(8, name),
  ]);
}

function tensor(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((size) =>
    bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)),
  );
  const described = Buffer.concat([integer(1, type), bytes(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, described))]);
}

/** A field of a protocol buffer: its number and kind, then a number, or a length and so many bytes. */
function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content));
}

function varint(value: number): Buffer {
  const low = value & 0x7f;
  return value > 0x7f
    ? Buffer.concat([Buffer.from([low | 0x80]), varint(value >>> 7)])
    : Buffer.from([low]);
}
