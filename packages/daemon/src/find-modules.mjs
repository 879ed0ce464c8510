/**
 * Speeds up the resolution of modules at the start. For each import, Node checks whether the file exists, whether it is
 * a link, which package contains it, and which format it has. For the sources of Davit, all of this is known.
 */
import { registerHooks } from 'node:module';

export function findModulesQuickly() {
  registerHooks({ resolve: createResolve() });
}

/** Messages of zod in fifty languages, which take half of zod's loading time. Davit uses only English. */
const LANGUAGES = '../locales/index.js';
const ENGLISH = '../locales/en.js';

function isLanguages(name, parentURL) {
  return name === LANGUAGES && parentURL?.includes('/node_modules/zod/') === true;
}

/**
 * Creates a resolver.
 * @returns {import('node:module').ResolveHookSync} a hook that resolves the same modules as Node for sources of Davit
 */
export function createResolve() {
  const found = new Map();
  return (name, context, next) => {
    const { parentURL } = context;
    // Every TypeScript file is a source of Davit, because Node does not accept TypeScript from installed packages.
    if (!parentURL?.endsWith('.ts')) return next(isLanguages(name, parentURL) ? ENGLISH : name, context);
    if (name.startsWith('.')) return name.endsWith('.ts') ? source(name, parentURL) : next(name, context);
    // The name of a package resolves to the same module for all sources of one package.
    const key = `${parentURL.slice(0, parentURL.lastIndexOf('/src/'))} ${name}`;
    const module = found.get(key) ?? { ...next(name, context), shortCircuit: true };
    found.set(key, module);
    return module;
  };
}

/** Resolves a source directly from its relative path, because no source is a link and all of them are modules. */
function source(name, parentURL) {
  return { url: new URL(name, parentURL).href, format: 'module-typescript', shortCircuit: true };
}
