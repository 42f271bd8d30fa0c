/** One line of a Dockerfile, those that it goes on in included. */
export interface Instruction {
  /** In capitals. */
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile as far as this project uses the format: no heredocs, no variables. */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of listInstructions(text)) {
    const from = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instruction.text);
    if (instruction.name === 'FROM' && from) {
      stages.push({ base: from[1] ?? '', name: from[2], instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${instruction.name} comes before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** The words of an instruction that is a JSON array (the exec form), which no shell reads. */
export function readExecForm(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}

function listInstructions(text: string): readonly Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Za-z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name: name.toUpperCase(), text: rest };
    });
}
