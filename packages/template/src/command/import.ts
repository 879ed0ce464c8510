import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Imported, type ImportNote, importCompose, importReport, importSummary } from '../import/index.ts';
import { type ReportPaint, reportLines, visible } from '../report/index.ts';
import { isAddress } from './address.ts';
import { unreadable } from './check.ts';
import { fetchFile } from './fetch-file.ts';
import { readAtMost } from './folder.ts';
import { atMost, type CommandIo, UnreadableError } from './io.ts';
import { localFilesBeside } from './local-files.ts';

const READ_AT_MOST = 1024 * 1024;

export interface ImportRequest {
  /** Path or URL of the Compose file. `-` means stdin. */
  file: string;
  /** Path of the new template file. `null` if the command must not write a file. */
  output: string | null;
  /** Whether the command may replace an existing template file. */
  force: boolean;
  project: string | null;
  repo: string | null;
}

export type ImportedFile = Extract<Imported, { ok: true }>;

/**
 * Converts a Compose file to a template and writes the template.
 * @throws UnreadableError if a file is invalid, or cannot be read or written
 */
export async function importFile(request: ImportRequest, io: CommandIo): Promise<ImportedFile> {
  const { file, output, project, repo, force } = request;
  if (repo !== null && !/^(?:https?|git):\/\/[^#\s]+$/.test(repo)) {
    throw new UnreadableError(
      `“${repo}” is not the address of a repository. Write an address such as https://github.com/you/app.`,
    );
  }
  const text = decoded(await bytesOf(file, io), file);
  const isStream = file === '-' || isAddress(file);
  const files = isStream ? {} : await localFilesBeside(dirname(resolve(io.cwd, file)), text);
  const imported = importCompose(text, {
    files,
    file: file === '-' ? 'a Compose file' : basename(file),
    ...(!isStream && { folder: basename(dirname(resolve(io.cwd, file))) }),
    ...(project !== null && { project }),
    ...(repo !== null && { repo }),
  });
  if (!imported.ok) throw new UnreadableError(`${file}: ${imported.message}`);
  if (output !== null) await writeTemplateFile(output, imported.template, force, io);
  return imported;
}

async function bytesOf(file: string, io: CommandIo): Promise<Uint8Array> {
  if (file === '-') return atMost(io.stdin, READ_AT_MOST);
  if (isAddress(file)) return fetchFile(file, READ_AT_MOST, io);
  const path = resolve(io.cwd, file);
  try {
    if ((await stat(path)).isDirectory())
      throw new UnreadableError(`${file} is a folder. Name the Compose file in it.`);
    return await readAtMost(path, READ_AT_MOST);
  } catch (error) {
    throw unreadable(error, file);
  }
}

function decoded(bytes: Uint8Array, file: string): string {
  if (bytes.length > READ_AT_MOST) throw new UnreadableError(`${file} is larger than ${READ_AT_MOST / 1024} KiB.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // `decode` throws an error only for invalid UTF-8, so the text is not UTF-8.
    throw new UnreadableError(`${file} is not UTF-8 text. Save the file as UTF-8.`);
  }
}

async function writeTemplateFile(output: string, template: string, force: boolean, { cwd }: CommandIo): Promise<void> {
  try {
    await writeFile(resolve(cwd, output), template, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UnreadableError(`${output} already exists. Choose another name, or use --force.`);
    throw new UnreadableError(`${output} cannot be written: ${message}.`);
  }
}

export interface ImportedJson {
  template: string;
  notes: ImportNote[];
  problems: ImportedFile['problems'];
}

export function importedJson({ template, notes, problems }: ImportedFile): ImportedJson {
  return { template, notes, problems };
}

/**
 * Returns the report about an imported Compose file as lines of text. The lines contain no terminal control characters.
 */
export function importLines(
  { notes, problems, template }: ImportedFile,
  look: { output: string | null; paint: ReportPaint; width: number | null },
): string[] {
  const { output, paint, width } = look;
  const file = output ?? 'template.yaml';
  const errors = problems.filter(({ severity }) => severity === 'error');
  const remaining = reportLines(errors, { file, text: template, paint, width: width ?? 120 });
  const written = output === null ? '' : `Wrote ${visible(output)}: `;
  const next = output === null ? '' : ` Review the template, then run “davit template check ${visible(output)}”.`;
  const unfinished = errors.length === 0 ? '' : ' The template is not valid yet. Correct the problems above.';
  return [...importReport(notes, paint), '', ...remaining, `${written}${importSummary(notes)}${unfinished}${next}`];
}
