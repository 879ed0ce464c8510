/**
 * Finds the modules of a start in a shorter way. Node looks for each import of each file anew: whether there is such a file,
 * what it is linked to, in whose package it is, and so of what form. Of our own sources all that is known.
 */
import { registerHooks } from 'node:module';

export function findModulesQuickly() {
  registerHooks({ resolve: createResolve() });
}

/** The sentences of zod in fifty languages, half of the time that zod takes: nothing here ever asks for another than this. */
const LANGUAGES = '../locales/index.js';
const ENGLISH = '../locales/en.js';

function isLanguages(name, parentURL) {
  return name === LANGUAGES && parentURL?.includes('/node_modules/zod/') === true;
}

/** @returns {import('node:module').ResolveHookSync} what finds for our own sources the same modules as Node does */
export function createResolve() {
  const found = new Map();
  return (name, context, next) => {
    const { parentURL } = context;
    // A source is ours: Node itself takes none from packages that are installed.
    if (!parentURL?.endsWith('.ts')) return next(isLanguages(name, parentURL) ? ENGLISH : name, context);
    if (name.startsWith('.')) return name.endsWith('.ts') ? source(name, parentURL) : next(name, context);
    // What stands behind the name of a package is the same for all of a package's sources.
    const key = `${parentURL.slice(0, parentURL.lastIndexOf('/src/'))} ${name}`;
    const module = found.get(key) ?? { ...next(name, context), shortCircuit: true };
    found.set(key, module);
    return module;
  };
}

/** A source is found where its name says: none is a link, and all are modules. */
function source(name, parentURL) {
  return { url: new URL(name, parentURL).href, format: 'module-typescript', shortCircuit: true };
}
