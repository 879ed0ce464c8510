import type { HttpDeps } from '../http/deps.ts';
import type { McpDeps } from '../mcp/deps.ts';
import type { ReconcilersDeps } from '../reconcilers/deps.ts';

/** Dependencies of all modules of the daemon. Each folder declares the part that it uses in its `deps.ts`. */
export interface Core extends HttpDeps, McpDeps, ReconcilersDeps {}
