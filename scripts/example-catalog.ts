/**
 * Creates bare Git repositories of the example templates, as a catalog reads them from a folder. `<owner>/<name>.git`
 * has an annotated tag for each release, and `<owner>/<name>.json` contains the metadata that a Git host would provide.
 * The script needs only Git.
 *
 *     node scripts/example-catalog.ts <folder>
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Folder of the examples of this project. */
export const EXAMPLES = join(import.meta.dirname, '../examples/templates');

const AUTHOR = 'Davit examples <examples@davit.invalid>';
/** Publication time of a release without a date. */
const UNDATED = '2026-01-01T00:00:00Z';
/** File in a created repository that records the source of the repository. */
const MADE_OF = 'davit-made-of';
/** Folder in which repositories are created before they are moved to their place. No owner has this name. */
const MAKING = '.making';

interface Release {
  tag: string;
  name: string;
  /** Publication time in RFC 3339. */
  publishedAt: string;
  files: { path: string; bytes: Buffer }[];
}

interface Example {
  owner: string;
  name: string;
  /** Content of repository.json. */
  about: string;
  /** Releases, oldest first. */
  releases: Release[];
}

/**
 * Creates the repositories of all examples in a folder, which need not exist. An unchanged repository stays as it is,
 * including changes by users. A repository whose example has changed gets the new releases. After an interruption, the
 * next run continues, because each repository is moved to its place only when it is complete. Only one process may run
 * at a time.
 * @param examples folder of `<owner>/<name>/<tag>/`. Default: the examples of this project.
 * @throws Error if the folder cannot be written, an example is incomplete, or Git fails
 */
export async function makeExampleRepositories(folder: string, examples: string = EXAMPLES): Promise<void> {
  for (const owner of await folders(examples)) {
    for (const name of await folders(join(examples, owner))) {
      await makeRepository(folder, await readExample(examples, owner, name));
    }
  }
  await rm(join(folder, MAKING), { recursive: true, force: true });
}

async function readExample(examples: string, owner: string, name: string): Promise<Example> {
  const folder = join(examples, owner, name);
  const about = await readFile(join(folder, 'repository.json'), 'utf8');
  if (!Number.isSafeInteger(JSON.parse(about).id)) throw new Error(`read ${folder}/repository.json: it has no id`);
  const releases = await Promise.all((await folders(folder)).map((tag) => readRelease(folder, tag)));
  if (releases.length === 0) throw new Error(`read ${folder}: it has no release`);
  const order = ({ publishedAt, tag }: Release) => `${publishedAt} ${tag}`;
  return { owner, name, about, releases: releases.sort((a, b) => (order(a) < order(b) ? -1 : 1)) };
}

async function readRelease(repository: string, tag: string): Promise<Release> {
  const folder = join(repository, tag);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : [],
  );
  const about = paths.includes('release.json') ? await readFile(join(folder, 'release.json'), 'utf8') : '{}';
  const { name = tag, published_at: publishedAt = UNDATED } = JSON.parse(about);
  if (Number.isNaN(Date.parse(publishedAt))) throw new Error(`read ${folder}/release.json: ${publishedAt} is no date`);
  const files = paths.filter((path) => path !== 'release.json').sort();
  const read = async (path: string) => ({ path, bytes: await readFile(join(folder, path)) });
  return { tag, name, publishedAt, files: await Promise.all(files.map(read)) };
}

async function makeRepository(folder: string, example: Example): Promise<void> {
  const { owner, name, about } = example;
  const stream = fastImport(example);
  const madeOf = createHash('sha256').update(stream).update(about).digest('hex');
  const target = join(folder, owner, `${name}.git`);
  const before = await textOf(join(target, MADE_OF));
  // A repository without this file was not created here.
  if (before === madeOf || (before === null && existsSync(target))) return;
  await mkdir(dirname(target), { recursive: true });
  await mkdir(join(folder, MAKING), { recursive: true });
  const making = await mkdtemp(join(folder, MAKING, `${name}-`));
  // This file is written last, because it marks a repository as complete.
  const finish = async (repository: string) => {
    await writeWhole(join(making, 'about'), join(folder, owner, `${name}.json`), about);
    await writeWhole(join(making, 'made-of'), join(repository, MADE_OF), madeOf);
  };
  if (before !== null) {
    await git(['-C', target, 'fast-import', '--quiet', '--force'], stream);
    return finish(target);
  }
  const repository = join(making, 'repository');
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', repository]);
  await git(['-C', repository, 'fast-import', '--quiet', '--force'], stream);
  await finish(repository);
  await rename(repository, target);
}

/**
 * Returns a commit and an annotated tag for each release in the format of `git fast-import`. The bytes are the same in
 * every run.
 */
function fastImport({ releases }: Example): Buffer {
  const parts: (string | Buffer)[] = [];
  const data = (bytes: Buffer) => parts.push(`data ${bytes.length}\n`, bytes, '\n');
  for (const [index, { tag, name, publishedAt, files }] of releases.entries()) {
    const when = `${AUTHOR} ${Math.floor(Date.parse(publishedAt) / 1000)} +0000\n`;
    const mark = index + 1;
    if (index === 0) parts.push('reset refs/heads/main\n');
    parts.push(`commit refs/heads/main\nmark :${mark}\nauthor ${when}committer ${when}`);
    data(Buffer.from(`${name}\n`));
    parts.push(index === 0 ? '' : `from :${index}\n`, 'deleteall\n');
    for (const { path, bytes } of files) {
      parts.push(`M 100644 inline ${path}\n`);
      data(bytes);
    }
    parts.push(`tag ${tag}\nfrom :${mark}\ntagger ${when}`);
    data(Buffer.from(`${name}\n`));
  }
  return Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.from('done\n')]);
}

/** Runs Git without the settings, the hooks and the Git environment of the user. */
function git(args: string[], input: Buffer = Buffer.alloc(0)): Promise<void> {
  const { PATH = '' } = process.env;
  const env = { PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
  return new Promise((done, failed) => {
    const child = execFile('git', args, { env }, (error, _stdout, stderr) => {
      if (error) failed(new Error(`git ${args.join(' ')}: ${stderr.trim() || error.message}`));
      else done();
    });
    // If Git ends before it has read all input, its exit code shows the reason.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** Writes a file next to its place and moves it, so that no program reads an incomplete file. */
async function writeWhole(temporaryFile: string, file: string, text: string): Promise<void> {
  await writeFile(temporaryFile, text);
  await rename(temporaryFile, file);
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

if (import.meta.main) {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined || more.length > 0) {
    console.error('Name the folder to make the example repositories in: node scripts/example-catalog.ts <folder>');
    process.exitCode = 2;
  } else {
    await makeExampleRepositories(resolve(folder));
    console.log(`The example repositories are in ${resolve(folder)}.`);
  }
}
