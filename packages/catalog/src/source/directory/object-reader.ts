import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type FileAnswer, SourceUnavailable } from '../source.ts';
import { GIT_ENV, gitArguments } from './git.ts';

/**
 * Maximum time in milliseconds in which the Git process must reply. Without this limit, a file system that hangs would
 * block the indexing run.
 */
const ANSWER_MS = 30_000;
/**
 * Maximum size in bytes of a commit's Git tree (its list of files). The indexer reads the tree only to verify that a
 * file is missing.
 */
const LARGEST_TREE = 16 * 1024 * 1024;
const SUBMODULE = '160000';

interface Header {
  id: string;
  type: string;
  size: number;
}

interface Waiter {
  /** Whether Git sends an object's header and content. If `false`, Git sends only the header (id, type and size). */
  contents: boolean;
  header?: Header;
  resolve(answer: { header: Header; bytes: Buffer } | null): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Reads files of a Git repository with one long-running `git cat-file` process. Git replies in the order of the
 * requests.
 */
export class ObjectReader implements Disposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Waiter[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  #failure: SourceUnavailable | null = null;
  #said = '';

  constructor(gitDir: string) {
    this.#child = spawn('git', [...gitArguments(gitDir), 'cat-file', '--batch-command'], { env: GIT_ENV });
    this.#child.on('error', (error) => this.#fail(`the process cannot be started: ${error.message}`));
    this.#child.on('close', () => this.#fail(this.#said.trim() || 'the process ended'));
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(0, 2048);
    });
    // If writing to the Git process fails, its `close` event reports the error.
    this.#child.stdin.on('error', () => undefined);
    this.#hold(false);
  }

  get usable(): boolean {
    return this.#failure === null;
  }

  get idle(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Reads one file of a commit.
   * @throws SourceUnavailable if Git fails or the commit or file is damaged
   */
  async read(commit: string, path: string, maxBytes: number): Promise<FileAnswer> {
    const found = await this.#ask(`info ${commit}:${path}`, false);
    if (found === null) {
      await this.#demandMissing(commit, path);
      return { kind: 'missing' };
    }
    const { id, type, size } = found.header;
    if (type !== 'blob') return { kind: 'missing' };
    if (size > maxBytes) return { kind: 'too-large' };
    const read = await this.#ask(`contents ${id}`, true);
    if (read === null) throw new SourceUnavailable(`The Git object ${id} is damaged.`);
    return { kind: 'found', bytes: read.bytes };
  }

  [Symbol.dispose](): void {
    this.#fail('the process was stopped');
  }

  /**
   * Verifies that a commit does not contain a file. This check is necessary because Git also reports "missing" for
   * damaged files.
   * @throws SourceUnavailable if the commit or file is damaged
   */
  async #demandMissing(commit: string, path: string): Promise<void> {
    const tree = await this.#ask(`info ${commit}^{tree}`, false);
    if (tree === null) throw new SourceUnavailable(`The commit ${commit} cannot be read.`);
    if (tree.header.size > LARGEST_TREE) throw new SourceUnavailable(`The commit ${commit} lists too many files.`);
    const listed = await this.#ask(`contents ${tree.header.id}`, true);
    // Searches the binary Git tree for the path. In a tree, a space precedes each path and a NUL byte follows it.
    const isListed = listed?.bytes.includes(` ${path}\0`) ?? true;
    if (isListed && !listed?.bytes.includes(`${SUBMODULE} ${path}\0`)) {
      throw new SourceUnavailable(`The file ${path} at commit ${commit} cannot be read.`);
    }
  }

  #ask(command: string, contents: boolean): Promise<{ header: Header; bytes: Buffer } | null> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<{ header: Header; bytes: Buffer } | null>();
    const timer = setTimeout(() => this.#fail('the process took too long'), ANSWER_MS);
    this.#waiting.push({ contents, resolve, reject, timer });
    this.#hold(true);
    this.#child.stdin.write(`${command}\n`);
    return promise;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#answerOne());
  }

  /**
   * Completes the oldest request to the Git process if the complete reply has arrived.
   * @returns whether a request was completed
   */
  #answerOne(): boolean {
    const [waiter] = this.#waiting;
    if (waiter === undefined || this.#size === 0) return false;
    if (waiter.header === undefined) {
      const line = this.#takeLine();
      if (line === null) return false;
      const [id = '', type = '', size] = line.split(' ');
      const found = /^[0-9a-f]{40,64}$/.test(id) && size !== undefined;
      if (!found || !waiter.contents) return this.#settle(found ? { header: { id, type, size: Number(size) } } : null);
      waiter.header = { id, type, size: Number(size) };
    }
    const { header } = waiter;
    if (this.#size < header.size + 1) return false;
    const all = this.#joined();
    this.#keep(all.subarray(header.size + 1));
    // The bytes are copied. Otherwise, a slice would keep the whole receive buffer in memory.
    return this.#settle({ header, bytes: Buffer.from(all.subarray(0, header.size)) });
  }

  #settle(answer: { header: Header; bytes?: Buffer } | null): true {
    const waiter = this.#waiting.shift();
    clearTimeout(waiter?.timer);
    waiter?.resolve(answer && { bytes: Buffer.alloc(0), ...answer });
    if (this.#waiting.length === 0) this.#hold(false);
    return true;
  }

  #takeLine(): string | null {
    const all = this.#joined();
    const end = all.indexOf(10);
    if (end < 0) return null;
    this.#keep(all.subarray(end + 1));
    return all.toString('utf8', 0, end);
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    return all ?? Buffer.concat(this.#chunks);
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
  }

  #fail(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = new SourceUnavailable(`Git failed: ${reason}`);
    this.#child.kill('SIGKILL');
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(this.#failure);
    }
  }

  /**
   * Sets whether the running Git process prevents Node from exiting. Node must not exit while a request to Git has no
   * reply.
   */
  #hold(hold: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const part of [this.#child, stdin, stdout, stderr] as { ref?(): void; unref?(): void }[]) {
      if (hold) part.ref?.();
      else part.unref?.();
    }
  }
}
