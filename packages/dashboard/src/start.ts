/**
 * What the first page needs is on its way while the rest of the program is begun: it takes a slow machine longer than the
 * answers do. Imported before what renders.
 */
import { loadAhead } from './routes.tsx';

void loadAhead().catch(() => undefined);
