/** Sends one question to one DNS server, over UDP or TCP. Node's own resolver cannot do this. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

const TYPES = { A: 1, PTR: 12, AAAA: 28, SRV: 33, AXFR: 252, ANY: 255 } as const;

const TIMEOUT_MS = 5_000;

/**
 * Time after which a query over UDP is sent again, as every resolver does. The engine removes tracked connections when a
 * container joins or leaves a network. The firewall then refuses a response to the server that was on its way.
 */
const RESEND_MS = 500;

export interface Question {
  name: string;
  /** Type of the record. Default: `A`. */
  type?: keyof typeof TYPES;
  /** Transport protocol. Default: `udp`. */
  transport?: 'udp' | 'tcp';
}

export interface Reply {
  /** Response code, for example 0 for no error and 3 for no such name. */
  code: number;
  /** Number of records in the response. */
  answers: number;
  /** Addresses of the A records in the response. */
  addresses: string[];
}

/**
 * Sends a question.
 * @throws Error if no response arrives within 5 s
 */
export async function queryDns(server: string, { name, type = 'A', transport = 'udp' }: Question): Promise<Reply> {
  const query = queryOf(name, TYPES[type]);
  return parse(transport === 'udp' ? await overUdp(server, query) : await overTcp(server, query));
}

function queryOf(name: string, type: number): Buffer {
  const header = Buffer.from([0x12, 0x34, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0]);
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([header, ...labels, Buffer.from([0, type >> 8, type & 255, 0, 1])]);
}

async function overUdp(server: string, query: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4');
  const send = () => socket.send(query, 53, server);
  const resending = setInterval(send, RESEND_MS);
  try {
    send();
    const [message] = await once(socket, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return message as Buffer;
  } finally {
    clearInterval(resending);
    socket.close();
  }
}

async function overTcp(server: string, query: Buffer): Promise<Buffer> {
  const socket = connect({ host: server, port: 53, timeout: TIMEOUT_MS });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      if (received.length > 2 && received.length >= 2 + received.readUInt16BE()) return received.subarray(2);
    }
  } finally {
    socket.destroy();
  }
  // A server that closes the connection refuses to answer.
  return Buffer.from([0, 0, 0x80, 5, 0, 0, 0, 0, 0, 0, 0, 0]);
}

function parse(reply: Buffer): Reply {
  const answers = reply.readUInt16BE(6);
  const addresses: string[] = [];
  let at = 12;
  for (let n = reply.readUInt16BE(4); n > 0; n--) at = afterName(reply, at) + 4;
  for (let n = answers; n > 0; n--) {
    at = afterName(reply, at);
    const length = reply.readUInt16BE(at + 8);
    if (reply.readUInt16BE(at) === TYPES.A) addresses.push([...reply.subarray(at + 10, at + 14)].join('.'));
    at += 10 + length;
  }
  return { code: (reply[3] ?? 0) & 15, answers, addresses };
}

/** Returns the position after a name. A name ends with an empty label or with a pointer. */
function afterName(reply: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = reply[at] ?? 0;
    if (length >= 192) return at + 2;
    at += 1 + length;
    if (length === 0) return at;
  }
}
