/**
 * Starts the requests of the first page while the rest of the program starts, which takes longer on a slow machine.
 * This module must be imported before the module that renders.
 */
import { loadAhead } from './routes.tsx';

void loadAhead().catch(() => undefined);
