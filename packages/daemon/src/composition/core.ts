import type { HttpDeps } from '../http/deps.ts';
import type { McpDeps } from '../mcp/deps.ts';
import type { ReconcilersDeps } from '../reconcilers/deps.ts';

/** Dependencies of all modules of the daemon. Each folder declares in its `deps.ts` which of them it uses. */
export interface Core extends HttpDeps, McpDeps, ReconcilersDeps {}
