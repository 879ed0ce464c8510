/**
 * Returns whether a name in a TLS certificate covers a host. In the name, `*` stands for exactly one DNS label. For
 * example, `*.example.com` covers `shop.example.com`, but not `example.com`.
 */
export function coversHost(name: string, host: string): boolean {
  if (!name.startsWith('*.')) return name === host;
  const dot = host.indexOf('.');
  return dot > 0 && host.slice(dot) === name.slice(1);
}
