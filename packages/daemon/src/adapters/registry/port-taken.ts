/**
 * Returns the message for users if the registry or the proxy cannot listen on the registry's port.
 * @param address IP address and port, such as `127.0.0.1:5000`
 */
export function portTaken(address: string): string {
  return `The registry cannot listen on ${address}, because another program uses the port. Stop that program, or choose another port with DAVIT_REGISTRY_PORT.`;
}
