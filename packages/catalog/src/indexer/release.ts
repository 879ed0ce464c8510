import { createHash } from 'node:crypto';
import {
  type Checked,
  checkReleaseFiles,
  type Diagnostic,
  RELEASE_CAPS,
  type ReleaseFile,
  type ReleaseFiles,
  type ReleasePath,
} from '@davit/template';
import type { EncodedIcon, IconEncoder } from '../icons/icon-encoder.ts';
import type { KnownRepository, SourcePath, TemplateSource } from '../source/source.ts';
import type { Judgement } from '../store/types.ts';

/**
 * Checks template files. The catalog database saves each result with the `version` of the validator. A result of an
 * older version may be outdated.
 */
export interface Validator {
  version: number;
  check(file: Uint8Array): Checked;
}

/**
 * Result of checking a template release. `icon` is the re-encoded image. `icon` is absent if the catalog database
 * already contains this image.
 */
export interface Judged {
  judgement: Judgement;
  icon?: { hash: string; png: Uint8Array };
}

export interface ReleaseReaderOptions {
  source: TemplateSource;
  validator: Validator;
  icons: Pick<IconEncoder, 'encode'>;
  hasIcon(hash: string): boolean;
}

type Icon = { kind: 'known'; hash: string } | ({ hash: string } & EncodedIcon);

/**
 * Reads and checks the files of template releases. The result contains all problems of a release, not only the first
 * problem.
 */
export class ReleaseReader {
  readonly #options: ReleaseReaderOptions;
  /**
   * Map from icon hash to the encoded image. Releases of a Git repository often have the same icon. If such releases
   * are read concurrently, their icon is encoded only once.
   */
  readonly #encoding = new Map<string, Promise<EncodedIcon>>();

  constructor(options: ReleaseReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads and checks the files of a release.
   * @throws SourceUnavailable if the source does not return the files
   */
  async read(repository: KnownRepository, commit: string, signal: AbortSignal): Promise<Judged> {
    const files = await this.#files(repository, commit, signal);
    const problems = checkReleaseFiles(files);
    const { 'template.yaml': template, 'README.md': readme, 'icon.png': icon } = files;
    const isIconWrong = problems.some(({ code }) => code.startsWith('icon.'));
    // A child process encodes the icon. At the same time, this process checks the template.
    const encoding = icon instanceof Uint8Array && !isIconWrong ? this.#icon(icon) : null;
    encoding?.catch(() => undefined);
    const checked = template instanceof Uint8Array ? this.#options.validator.check(template) : null;
    const encoded = (await encoding) ?? null;
    if (encoded?.kind === 'refused') problems.push(encoded.problem);
    if (checked) problems.push(...checked.diagnostics);

    const isWhole = checked !== null && encoded !== null && encoded.kind !== 'refused';
    if (!isWhole || !(template instanceof Uint8Array) || !(readme instanceof Uint8Array)) return rejected(problems);
    const parts = { source: textOf(template), readme: textOf(readme), icon: encoded.hash };
    const judgement = judge(checked, problems, parts);
    const isNew = judgement.status === 'accepted' && encoded.kind === 'encoded';
    return isNew ? { judgement, icon: { hash: encoded.hash, png: encoded.png } } : { judgement };
  }

  async #files(repository: KnownRepository, commit: string, signal: AbortSignal): Promise<ReleaseFiles> {
    const read = async (path: SourcePath, maxBytes: number): Promise<ReleaseFile> => {
      const answer = await this.#options.source.readFile(repository, commit, path, maxBytes, signal);
      return answer.kind === 'found' ? answer.bytes : answer.kind;
    };
    const cap = (path: ReleasePath) => read(path, RELEASE_CAPS[path]);
    const [template, readme, icon] = await Promise.all([cap('template.yaml'), cap('README.md'), cap('icon.png')]);
    const hasTemplateYml =
      template === 'missing' && (await read('template.yml', RELEASE_CAPS['template.yaml'])) !== 'missing';
    return { 'template.yaml': template, 'README.md': readme, 'icon.png': icon, hasTemplateYml };
  }

  async #icon(icon: Uint8Array): Promise<Icon> {
    const hash = createHash('sha256').update(icon).digest('hex');
    if (this.#options.hasIcon(hash)) return { kind: 'known', hash };
    const encoding = this.#encoding.get(hash) ?? this.#options.icons.encode(icon);
    this.#encoding.set(hash, encoding);
    try {
      return { hash, ...(await encoding) };
    } finally {
      this.#encoding.delete(hash);
    }
  }
}

/**
 * Checks the stored template file of an accepted release again. The README and the icon are not checked again, because
 * the files of a commit cannot change.
 */
export function judgeAgain(validator: Validator, parts: { source: string; readme: string; icon: string }): Judgement {
  const checked = validator.check(Buffer.from(parts.source));
  return judge(checked, checked.diagnostics, parts);
}

function judge(
  { manifest }: Checked,
  problems: Diagnostic[],
  parts: { source: string; readme: string; icon: string },
): Judgement {
  if (manifest === null || problems.some(({ severity }) => severity === 'error')) return rejected(problems).judgement;
  const manifestName = manifest.name ?? null;
  return { status: 'accepted', problems, manifest: JSON.stringify(manifest), manifestName, ...parts };
}

function rejected(problems: Diagnostic[]): { judgement: Extract<Judgement, { status: 'rejected' }> } {
  return { judgement: { status: 'rejected', problems } };
}

/**
 * Decodes a template file or a README as UTF-8. Invalid bytes become replacement characters. A byte order mark is not
 * removed.
 */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
