import type { CatalogConfig } from './config/config.ts';

/**
 * Converts an error during the start of the catalog server to an error message for the operator. The message of an
 * unknown error is not changed.
 */
export function explainStart(error: unknown, { listen, dataDir }: CatalogConfig): Error {
  const { code, syscall = '', message } = error as NodeJS.ErrnoException;
  const known =
    syscall === 'listen' || syscall === 'getaddrinfo'
      ? ofListening(code, `${listen.host}:${listen.port}`)
      : ofFiles(code, dataDir);
  return new Error(known ?? message, { cause: error });
}

function ofListening(code: string | undefined, address: string): string | null {
  const another = 'choose another address with DAVIT_CATALOG_LISTEN';
  switch (code) {
    case 'EADDRINUSE':
      return `Another program listens on ${address}. Stop it if it is not this catalog, or ${another}.`;
    case 'EACCES':
      return `This user has no permission to listen on ${address}. Use a port above 1023, or ${another}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This server does not have the address ${address}. To continue, ${another}.`;
    default:
      return null;
  }
}

function ofFiles(code: string | undefined, dataDir: string): string | null {
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EEXIST') return null;
  return `The data directory ${dataDir} cannot be written. Change its owner to this user, or set another one with DAVIT_CATALOG_DATA_DIR.`;
}
