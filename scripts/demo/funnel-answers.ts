interface Changed {
  readonly count: number;
  readonly questions: readonly {
    readonly id: string;
    readonly text: string;
    readonly from: number;
    readonly to: number;
  }[];
}

export interface Ablation {
  readonly questions: number;
  readonly variants: readonly {
    readonly variant: string;
    readonly configuration: string;
    readonly mean: number;
    readonly funnel: {
      readonly k: number;
      readonly relevant: number;
      found: number;
      inTopK: number;
    };
    readonly latencyP95Ms: number | null;
    readonly callsPerQuestion: number | null;
    readonly costPerQuestion: number | null;
  }[];
  readonly steps: readonly {
    readonly stage: string;
    readonly from: string;
    readonly to: string;
    readonly meanDifference: number;
    readonly interval: { readonly low: number; readonly high: number } | null;
    readonly gained: Changed;
    readonly lost: Changed;
  }[];
}

export interface Result {
  readonly id: string;
  readonly text: string;
  readonly ranking: readonly { readonly documentId: string; readonly grade: number | null }[];
  readonly pipeline: {
    readonly versions: readonly { readonly kind: string; readonly text?: string }[];
    readonly stages: readonly {
      readonly stage: string;
      readonly type: string;
      readonly latencyMs: number;
      readonly searches: number;
      readonly pairsReranked: number;
      readonly modelCalls: number;
    }[];
  };
}

export interface Diagnosis {
  readonly relevant: number;
  readonly lost: number;
  readonly causes: Readonly<Record<string, { readonly documents: number }>>;
  readonly advice: readonly string[];
}

export interface Curve {
  readonly curves: readonly {
    readonly kept: { readonly values: readonly number[] };
    readonly oracle: { readonly values: readonly number[]; readonly knee: { n: number } | null };
  }[];
}

export interface Pareto {
  readonly configurations: readonly {
    readonly configuration: string;
    readonly quality: number;
    readonly interval: { readonly low: number; readonly high: number };
    readonly latencyP95Ms: number;
    readonly callsPerQuestion: number;
    readonly costPerQuestion: number | null;
    readonly isOnFront: boolean | null;
    readonly dominatedBy: readonly string[];
  }[];
}
