/**
 * Runs the shell blocks of a page like a reader: in a terminal, one after another, with the same working folder and
 * variables.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { DAVIT_BIN, Running } from './davit-command.ts';

/** Time limit in milliseconds for a block. The first database of a machine takes minutes. */
const BLOCK_MS = 360_000;
const POLL_MS = 100;
/** Time after which Ctrl-C ends a command that follows something. */
const FOLLOW_S = 5;
const FOLLOWING = /^davit logs .*(?:-f|--follow)(?= |$)/gm;
const CONFIRMATION = /Type "([^"]+)" to confirm:/g;

/** Text that a reader types at a prompt. */
export interface PromptAnswer {
  prompt: RegExp;
  /** Without the Return key at its end. */
  text: string;
}

export class DocShell implements AsyncDisposable {
  /** Home folder of the reader. */
  readonly home: string;
  /** Folder in which the first block runs. */
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.folder = join(home, 'work');
    const programs = [join(home, '.npm-global/bin'), join(home, '.bin'), dirname(process.execPath)];
    this.#env = {
      PATH: [...programs, process.env.PATH].join(delimiter),
      HOME: home,
      TMPDIR: join(home, '.tmp'),
      SHELL: '/bin/sh',
      TERM: 'dumb',
      NPM_CONFIG_PREFIX: join(home, '.npm-global'),
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
      ...env,
    };
  }

  /**
   * Creates the folders of a reader who has `davit` and Git. `curl` fails if a server refuses the request.
   * @param env additional environment variables
   */
  static async make(env: NodeJS.ProcessEnv): Promise<DocShell> {
    const shell = new DocShell(await mkdtemp(join(tmpdir(), 'davit-docs-')), env);
    const { home, folder } = shell;
    for (const path of [folder, join(home, '.bin'), join(home, '.tmp')]) await mkdir(path);
    await writeFile(join(home, '.bin/davit'), `#!/bin/sh\nexec '${process.execPath}' '${DAVIT_BIN}' "$@"\n`);
    await chmod(join(home, '.bin/davit'), 0o755);
    await writeFile(join(home, '.gitconfig'), '[user]\nname = Ada\nemail = ada@example.com\n');
    await writeFile(join(home, '.curlrc'), 'fail-with-body\n');
    await shell.enter(folder);
    return shell;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  /** Sets the working folder of the next block. */
  enter(folder: string): Promise<void> {
    return writeFile(join(this.home, '.folder'), folder);
  }

  /**
   * Runs a block.
   * @throws Error with the output if a command of the block fails
   */
  async run(text: string, answers: readonly PromptAnswer[] = []): Promise<void> {
    const script = join(this.home, '.block');
    await writeFile(script, [...this.#prologue(), interrupted(text), ''].join('\n'));
    // Long lines stay whole, so that prompts can be found.
    const line = `stty rows 50 columns 1000; exec bash '${script}'`;
    const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: this.home, env: this.#env, detached: true });
    const running = new Running(child);
    const deadline = setTimeout(() => process.kill(-(child.pid ?? Number.NaN), 'SIGKILL'), BLOCK_MS);
    const [{ code, stdout, stderr }] = await Promise.all([running.ended, answerPrompts(running, answers)]);
    clearTimeout(deadline);
    if (code !== 0) throw new Error(`exit code ${code}\n${plain(stdout)}${stderr}`);
  }

  /** Loads the state that the previous block has left, and saves it at the end. */
  #prologue(): string[] {
    const [variables, folder] = [join(this.home, '.variables'), join(this.home, '.folder')];
    return [
      'set -aeo pipefail',
      `[ ! -f '${variables}' ] || . '${variables}'`,
      `cd "$(cat '${folder}')"`,
      `trap 'code=$?; export -p > "${variables}"; pwd > "${folder}"; exit $code' EXIT`,
    ];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.home, { recursive: true, force: true });
  }
}

/**
 * Ends commands that follow something with Ctrl-C, as the pages ask readers to do. Like a terminal, `timeout` sends the
 * signal to the whole process group.
 */
function interrupted(text: string): string {
  return text.replaceAll(
    FOLLOWING,
    (command) => `timeout --preserve-status -s INT ${FOLLOW_S} ${command} || [ $? = 130 ]`,
  );
}

/** Types the answers in their order, and confirms deletions with the name in the prompt. */
async function answerPrompts(running: Running, answers: readonly PromptAnswer[]): Promise<void> {
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  const left = [...answers];
  /** Confirmations that were typed. A terminal program draws its prompt more than once. */
  const typed = new Set<string>();
  let from = 0;
  while (!isOver) {
    const text = plain(running.stdout);
    const next = left[0];
    const found = next && text.slice(from).search(next.prompt);
    if (next && found !== undefined && found >= 0) {
      left.shift();
      from = text.length;
      running.type(`${next.text}\r`);
    }
    for (const [, name = ''] of text.matchAll(CONFIRMATION)) {
      if (typed.has(name)) continue;
      typed.add(name);
      running.type(`${name}\r`);
    }
    await delay(POLL_MS);
  }
  if (left.length > 0) throw new Error(`no prompt ${left[0]?.prompt} in:\n${plain(running.stdout)}`);
}

function plain(output: string): string {
  return stripVTControlCharacters(output).replaceAll('\r', '');
}
