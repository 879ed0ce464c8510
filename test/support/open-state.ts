/** Opens and closes the state of a data directory: `node test/support/open-state.ts <data directory>`. */
import { join } from 'node:path';
import { openState } from '@davit/daemon/composition/state.ts';

const dataDir = process.argv[2] ?? '';
openState({ dataDir, masterKeyFile: join(dataDir, 'master.key') })[Symbol.dispose]();
