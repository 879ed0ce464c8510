import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

export interface Check {
  name: string;
  args: string[];
}

export interface CheckResult {
  name: string;
  ok: boolean;
  ms: number;
  output: string;
}

/**
 * Folder for results of earlier runs. The folder is removed together with the packages, and everything works without
 * it.
 */
export const CACHE = 'node_modules/.cache/davit';

/**
 * Returns the checks of the repository besides its tests: types, style, generated files. All of them use this runtime.
 */
export function listChecks(root: string): Check[] {
  const projects = globSync(['tsconfig.json', 'packages/*/tsconfig.json'], { cwd: root }).sort().reverse();
  const checks = projects.map((project) => {
    const name = project === 'tsconfig.json' ? 'types' : `types of ${project.replace('/tsconfig.json', '')}`;
    // Several threads would need twice the processor time, because each thread computes shared types again.
    const cache = [
      '--singleThreaded',
      '--incremental',
      '--tsBuildInfoFile',
      `${CACHE}/${name.replaceAll(/[ /]/g, '-')}.tsbuildinfo`,
    ];
    return { name, args: ['node_modules/typescript/bin/tsc', '-p', project, ...cache] };
  });
  if (existsSync(join(root, 'biome.json'))) {
    const args = ['check', '--error-on-warnings', '--max-diagnostics=100', '.'];
    checks.push({ name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', ...args] });
  }
  if (existsSync(join(root, 'scripts/generate.ts'))) {
    checks.push({ name: 'generated files', args: ['scripts/generate.ts', '--check'] });
  }
  return checks;
}

/** Runs one check and waits for its end. The check succeeds if it exits with 0. */
export function runCheck(check: Check, root: string): Promise<CheckResult> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, check.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const add = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ name: check.name, ok: code === 0, ms: performance.now() - started, output });
    });
  });
}
