import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/** How a model's numbers are kept, as `@huggingface/transformers` names it. */
export type ModelPrecision = 'fp32' | 'q8';

/** Whole numbers are tried first: they are what the model was trained with. */
const weights: readonly (readonly [ModelPrecision, string])[] = [
  ['fp32', join('onnx', 'model.onnx')],
  ['q8', join('onnx', 'model_quantized.onnx')],
];

const neededFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** A folder's name, or two with a slash between them, as models are named. Never a way out of the root. */
export const modelName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?$/;

/** Why no passage can be scored by that model; undefined: all that it takes is there. Loads nothing. */
export function findModelIssue(root: string | undefined, model: string): string | undefined {
  if (root === undefined) {
    return 'No cross-encoders are configured: set CROSS_ENCODER_ROOT to the folder that contains their folders';
  }
  if (!isInstalled()) {
    return 'Cross-encoders require the optional package @huggingface/transformers, which is not installed: npm install @huggingface/transformers';
  }
  const folder = findFolder(root, model);
  if (folder === undefined) {
    return `CROSS_ENCODER_ROOT has no cross-encoder folder '${model}'`;
  }
  const missing = neededFiles.filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0) return `Cross-encoder '${model}' lacks ${missing.join(', ')}`;
  if (findPrecision(folder) !== undefined) return undefined;
  const names = weights.map(([, name]) => name.replaceAll(sep, '/'));
  return `Cross-encoder '${model}' lacks ${names.join(' and ')}; one of them is required`;
}

/** Undefined where there are no weights. */
export function findPrecision(folder: string): ModelPrecision | undefined {
  return weights.find(([, name]) => existsSync(join(folder, name)))?.[0];
}

/** The folder of a model with every link followed; undefined: there is none, or it is not within the root. */
export function findFolder(root: string, model: string): string | undefined {
  const path = join(root, model);
  if (!modelName.test(model) || !existsSync(path)) return undefined;
  const folder = realpathSync(path);
  const isWithin = folder.startsWith(realpathSync(root) + sep);
  return isWithin && statSync(folder).isDirectory() ? folder : undefined;
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve('@huggingface/transformers');
    return true;
  } catch {
    return false;
  }
}
