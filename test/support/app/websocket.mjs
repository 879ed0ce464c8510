/** A WebSocket echo server on `/ws`. The server implements only the necessary part of RFC 6455, without fragments. */
import { createHash } from 'node:crypto';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const GOING_AWAY = Buffer.from([0x03, 0xe9]);

const sockets = new Set();

export function upgrade(request, socket, head) {
  const key = request.headers['sec-websocket-key'];
  if (!request.url.startsWith('/ws') || key === undefined) {
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    return;
  }
  const accept = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  let buffered = head;
  const read = (chunk) => {
    buffered = consume(socket, Buffer.concat([buffered, chunk]));
  };
  socket.on('data', read);
  if (head.length > 0) read(Buffer.alloc(0));
}

export function closeWebSockets() {
  for (const socket of sockets) socket.end(frame(CLOSE, GOING_AWAY));
}

/** Answers the complete frames at the start of the buffer, and returns the remaining bytes. */
function consume(socket, bytes) {
  let rest = bytes;
  for (let next = parse(rest); next !== null; next = parse(rest)) {
    rest = rest.subarray(next.size);
    if (next.opcode === CLOSE) socket.end(frame(CLOSE, next.payload));
    else if (next.opcode === PING) socket.write(frame(PONG, next.payload));
    else if (next.opcode !== PONG) socket.write(frame(next.opcode, next.payload));
  }
  return rest;
}

/**
 * Parses the frame at the start of the buffer. Frames of clients are masked. Returns null if the frame is incomplete.
 */
function parse(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extra + 4;
  if (bytes.length < start) return null;
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let i = 0; i < length; i += 1) payload[i] ^= mask[i % 4];
  return { opcode: bytes[0] & 0x0f, payload, size: start + length };
}

function frame(opcode, payload) {
  const { length } = payload;
  const header =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127]), bigLength(length)]);
  return Buffer.concat([header, payload]);
}

function bigLength(length) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
