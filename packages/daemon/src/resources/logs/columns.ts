/** Converts between typed arrays and bytes. The byte order is little-endian, as on all supported processors. */
type Column = Uint32Array | Uint16Array | Uint8Array;

export function bytesOf(column: Column): Buffer {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
}

export class ColumnReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  number(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  fill<C extends Column>(column: C): C {
    // Copy the bytes. The typed array needs an aligned offset, but bytes from a file can start at any offset.
    bytesOf(column).set(this.bytes(column.byteLength));
    return column;
  }

  bytes(length: number): Buffer {
    const { length: there } = this.#bytes;
    if (this.#at + length > there)
      throw new RangeError(
        `A log column needs ${length} bytes at position ${this.#at}, but the data has only ${there} bytes.`,
      );
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }
}

export function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
