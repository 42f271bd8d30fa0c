import type { BackendName } from '../../model/search-configuration.ts';
import type {
  EvaluationConfiguration,
  SearchInput,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { hashCanonical } from '../../model/hash-content.ts';

/** What an evaluation measured with one of its configurations. */
export interface MeasuredSubject {
  readonly evaluation: StoredEvaluation;
  readonly configuration: EvaluationConfiguration;
}

/** One thing on both sides. */
export interface Compared<Fact> {
  readonly isSame: boolean;
  readonly baseline: Fact;
  readonly evaluation: Fact;
}

export interface QuestionSetFact {
  readonly name: string;
  readonly version: number;
  readonly contentHash: string;
}

export interface SelectionFact {
  readonly split: string | null;
  readonly sample: { readonly size: number; readonly seed: number } | null;
}

export interface ConfigurationFact {
  readonly name: string;
  readonly backend: BackendName;
  /** Over the configuration without its name, whatever the order of its keys. */
  readonly hash: string;
}

export interface SubjectComparison {
  /** By name and content: a version with other numbers and the same content is the same. */
  readonly questionSet: Compared<QuestionSetFact>;
  readonly selection: Compared<SelectionFact>;
  readonly configuration: Compared<ConfigurationFact> & {
    /** Fields of the configuration that are not the same on both sides. */
    readonly fields: readonly string[];
  };
  /** The hash of the corpus or of the imported run; `null` for AI Core, which has none. */
  readonly input: Compared<SearchInput | null>;
  /** `null`: the evaluation is older than its record. */
  readonly serviceVersion: Compared<string | null>;
}

/** What two measurements have in common, by hash. Nothing is read: it was all fixed when they were made. */
export function compareSubjects(
  baseline: MeasuredSubject,
  other: MeasuredSubject,
): SubjectComparison {
  const configuration = compare(baseline, other, toConfiguration, ({ hash }) => hash);
  return {
    questionSet: compare(baseline, other, toQuestionSet, ({ name, contentHash }) => [
      name,
      contentHash,
    ]),
    selection: compare(baseline, other, toSelection),
    configuration: { ...configuration, fields: differingFields(baseline, other) },
    input: compare(baseline, other, ({ configuration: { input } }) => input),
    serviceVersion: compare(
      baseline,
      other,
      ({ evaluation }) => evaluation.plan.serviceVersion ?? null,
    ),
  };
}

function compare<Fact>(
  baseline: MeasuredSubject,
  other: MeasuredSubject,
  toFact: (subject: MeasuredSubject) => Fact,
  toIdentity: (fact: Fact) => unknown = (fact) => fact,
): Compared<Fact> {
  const [a, b] = [toFact(baseline), toFact(other)];
  const isSame = hashCanonical(toIdentity(a)) === hashCanonical(toIdentity(b));
  return { isSame, baseline: a, evaluation: b };
}

function toQuestionSet({ evaluation }: MeasuredSubject): QuestionSetFact {
  const { questionSet: name, version, contentHash } = evaluation;
  return { name, version, contentHash };
}

function toSelection({ evaluation }: MeasuredSubject): SelectionFact {
  const { split = null, sample = null } = evaluation.plan;
  return { split, sample };
}

function toConfiguration({ configuration }: MeasuredSubject): ConfigurationFact {
  const { name, backend, configuration: searched } = configuration;
  return { name, backend, hash: hashCanonical(searched) };
}

function differingFields(baseline: MeasuredSubject, other: MeasuredSubject): readonly string[] {
  const [a, b] = [toFields(baseline), toFields(other)];
  const fields = new Set([...a.keys(), ...b.keys()]);
  return [...fields].filter((field) => a.get(field) !== b.get(field)).toSorted();
}

function toFields({ configuration }: MeasuredSubject): ReadonlyMap<string, string> {
  const fields = Object.entries(configuration.configuration);
  return new Map(fields.map(([field, value]) => [field, hashCanonical(value)]));
}
