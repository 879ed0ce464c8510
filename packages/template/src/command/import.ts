import type { ImportArguments } from './arguments.ts';
import { type CommandIo, UnreadableError } from './io.ts';
import type { CommandOutput } from './run.ts';

export interface ImportRequest {
  file: string;
}

export async function importFile(_request: ImportRequest, _io: CommandIo): Promise<never> {
  throw new UnreadableError('Importing is not possible yet.');
}

export async function runImport(args: ImportArguments, io: CommandIo, _out: CommandOutput): Promise<number> {
  return importFile(args, io);
}
