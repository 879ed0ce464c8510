import type { CatalogConfig } from './config/config.ts';

/**
 * Returns an error that explains why a catalog cannot start, in terms of its operator. An unknown error keeps its
 * message.
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
      return `Something listens on ${address} already: if it is this catalog, it is up; else stop it, or ${another}.`;
    case 'EACCES':
      return `This user may not listen on ${address}: take a port above 1023, or ${another}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine has no address ${address}: ${another}.`;
    default:
      return null;
  }
}

function ofFiles(code: string | undefined, dataDir: string): string | null {
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTDIR' && code !== 'EEXIST') return null;
  return `The data directory ${dataDir} cannot be written: give it to this user, or name another with DAVIT_CATALOG_DATA_DIR.`;
}
