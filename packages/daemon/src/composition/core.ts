import type { HttpDeps } from '../http/deps.ts';
import type { McpDeps } from '../mcp/deps.ts';
import type { ReconcilersDeps } from '../reconcilers/deps.ts';

/**
 * Dependencies of all modules of the daemon. The file `deps.ts` in each folder lists the dependencies that this folder
 * uses.
 */
export interface Core extends HttpDeps, McpDeps, ReconcilersDeps {}
