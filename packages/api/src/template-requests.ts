/**
 * Schemas of the requests with which an instance installs a template. The template check imports only these schemas and
 * not the whole API package.
 */
export { AppCreate } from './schemas/app.ts';
export { DatabaseCreate } from './schemas/database-change.ts';
export { ObjectStoreCreate } from './schemas/object-store-change.ts';
export { TcpPortCreate } from './schemas/tcp-port.ts';
export { VariablesPatch } from './schemas/variables.ts';
export { VolumeCreate } from './schemas/volume.ts';
