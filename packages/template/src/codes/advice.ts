import { type CodeInfo, codesOf } from './code.ts';

const { warning, info } = codesOf('advice');

/** What is advised: it never refuses a file. */
export const ADVICE_CODES = {
  'advice.unpinned-engine': warning(
    'A database without a version runs the newest of the day it is installed.',
    'Set `version` to the one the app is tested with.',
  ),
  'advice.no-health': warning(
    'An app without `health` counts as ready when its port opens.',
    'Set `health` to a path.',
  ),
  'advice.floating-tag': warning('An image without `tag` changes under those who install it.', 'Set `tag`.'),
  'advice.dockerhub': info(
    'An image without a registry comes from Docker Hub, which limits how often it is pulled.',
    'Name the registry, or know that it is meant.',
  ),
  'advice.no-limits': warning(
    'An app without limits can take the whole machine.',
    'Set `limits`; `limits: {}` says that none are wanted.',
  ),
  'advice.unreachable-app': warning(
    'An app has no domain, and no variable of any app refers to it.',
    'Give it a domain, or refer to it where it is used.',
  ),
} satisfies Record<string, CodeInfo>;
