import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A release to be made: a commit with these files and nothing else, and a tag that names it. */
export interface MadeRelease {
  tag: string;
  files: Record<string, string | Uint8Array>;
  /** Seconds since the epoch, of the commit and of the tag. */
  at: number;
  /** Makes the tag an annotated one. */
  message?: string;
}

/** A folder of bare repositories, as a local source has them, which is gone with the test. */
export class GitFolder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<GitFolder> {
    return new GitFolder(await mkdtemp(join(tmpdir(), 'davit-git-')));
  }

  /** Where a repository is. @param repository `owner/name` */
  gitDir(repository: string): string {
    return join(this.path, `${repository}.git`);
  }

  /** Adds releases to a repository, which is made when there is none. A tag that is there is moved. */
  async release(repository: string, ...releases: MadeRelease[]): Promise<void> {
    const gitDir = this.gitDir(repository);
    await mkdir(dirname(gitDir), { recursive: true });
    if (!existsSync(gitDir)) await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', gitDir]);
    await git([`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--force'], fastImport(releases));
  }

  /** Writes what stands beside a repository. */
  async describe(repository: string, description: unknown): Promise<void> {
    const text = typeof description === 'string' ? description : JSON.stringify(description);
    await mkdir(dirname(this.gitDir(repository)), { recursive: true });
    await writeFile(join(this.path, `${repository}.json`), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Runs git, outside of any settings of the machine. @returns its output, trimmed */
export async function git(args: string[], input: string | Buffer = ''): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  // What reads nothing may have ended before it is told.
  child.stdin.on('error', () => undefined).end(input);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  if (code !== 0) throw new Error(`git ${args.join(' ')}: it ended with ${code}`);
  return Buffer.concat(chunks).toString().trim();
}

/** Each release stands alone, without a parent: only what its tag names is ever read. */
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
