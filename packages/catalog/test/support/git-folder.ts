import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Release that a test creates: a commit that contains only these files, and a tag of this commit. */
export interface MadeRelease {
  tag: string;
  files: Record<string, string | Uint8Array>;
  /** Time of the commit and the tag, in seconds since the epoch. */
  at: number;
  /** Message of the tag. If it is set, the tag is an annotated tag. */
  message?: string;
}

/** Temporary folder of bare Git repositories, as the directory source reads it. Disposing it removes the folder. */
export class GitFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<GitFolder> {
    return new GitFolder(await mkdtemp(join(tmpdir(), 'davit-git-')));
  }

  /**
   * Returns the path of a repository.
   * @param repository `owner/name`
   */
  gitDir(repository: string): string {
    return join(this.path, `${repository}.git`);
  }

  /** Adds releases to a repository. Creates the repository if it does not exist, and moves existing tags. */
  async release(repository: string, ...releases: MadeRelease[]): Promise<void> {
    const gitDir = this.gitDir(repository);
    await mkdir(dirname(gitDir), { recursive: true });
    if (!existsSync(gitDir)) await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', gitDir]);
    await git([`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--force'], fastImport(releases));
  }

  /** Writes the description file of a repository, which is next to the repository. */
  async describe(repository: string, description: unknown): Promise<void> {
    const text = typeof description === 'string' ? description : JSON.stringify(description);
    await mkdir(dirname(this.gitDir(repository)), { recursive: true });
    await writeFile(join(this.path, `${repository}.json`), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/**
 * Runs Git without the system and user configuration.
 * @returns its output, trimmed
 */
export async function git(args: string[], input: string | Buffer = ''): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  // A Git command that reads no input may exit before the input is written. This is not an error.
  child.stdin.on('error', () => undefined).end(input);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  if (code !== 0) throw new Error(`git ${args.join(' ')}: it ended with ${code}`);
  return Buffer.concat(chunks).toString().trim();
}

/** Returns the input of `git fast-import`. Commits have no parents, because the catalog reads only tagged commits. */
function fastImport(releases: MadeRelease[]): Buffer {
  const parts: (string | Uint8Array)[] = [];
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content as string);
    parts.push(`data ${bytes.length}\n`, bytes, '\n');
  };
  for (const [at, release] of releases.entries()) {
    const who = `Author <author@example.com> ${release.at} +0000`;
    parts.push('reset refs/heads/main\n\n', `commit refs/heads/main\nmark :${at + 1}\ncommitter ${who}\n`);
    data(`Release ${release.tag}`);
    for (const [path, content] of Object.entries(release.files)) {
      parts.push(`M 100644 inline ${path}\n`);
      data(content);
    }
    parts.push('\n');
    if (release.message === undefined) parts.push(`reset refs/tags/${release.tag}\nfrom :${at + 1}\n\n`);
    else {
      parts.push(`tag ${release.tag}\nfrom :${at + 1}\ntagger ${who}\n`);
      data(release.message);
    }
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}
