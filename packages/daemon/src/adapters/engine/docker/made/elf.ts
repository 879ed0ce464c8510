/**
 * Program loader and shared libraries that an ELF file needs. `ldd` is not used, because it would execute code of the
 * file and search libraries of this server.
 */

export interface ElfNeeds {
  /**
   * Path of the program loader, for example `/lib64/ld-linux-x86-64.so.2`. `null` for a static program or a shared
   * library.
   */
  interpreter: string | null;
  /** Names of shared libraries, for example `libssl.so.3`, in the search order of the loader. */
  libraries: string[];
}

interface Segment {
  type: number;
  offset: number;
  address: number;
  size: number;
}

const SEGMENT_LOAD = 1;
const SEGMENT_DYNAMIC = 2;
const SEGMENT_INTERPRETER = 3;
const DYNAMIC_NEEDED = 1;
const DYNAMIC_STRINGS = 5;

/**
 * Reads which shared libraries and which program loader an ELF file needs.
 * @throws Error if the file is not a 64-bit little-endian ELF file
 */
export function readElfNeeds(file: Buffer): ElfNeeds {
  if (file.length < 64 || file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1) {
    throw new Error('The file is not a 64-bit little-endian ELF file.');
  }
  const segments = readSegments(file);
  const interpreter = segments.find((segment) => segment.type === SEGMENT_INTERPRETER);
  return {
    interpreter: interpreter === undefined ? null : readString(file, interpreter.offset),
    libraries: readNeeded(file, segments),
  };
}

function readSegments(file: Buffer): Segment[] {
  const tableOffset = Number(file.readBigUInt64LE(32));
  const entrySize = file.readUInt16LE(54);
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = tableOffset + index * entrySize;
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: Number(file.readBigUInt64LE(at + 16)),
      size: Number(file.readBigUInt64LE(at + 32)),
    };
  });
}

function readNeeded(file: Buffer, segments: Segment[]): string[] {
  const dynamic = segments.find((segment) => segment.type === SEGMENT_DYNAMIC);
  if (dynamic === undefined) return [];

  const names: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    const tag = Number(file.readBigInt64LE(at));
    const value = Number(file.readBigUInt64LE(at + 8));
    if (tag === 0) break;
    if (tag === DYNAMIC_NEEDED) names.push(value);
    if (tag === DYNAMIC_STRINGS) strings = fileOffset(segments, value);
  }
  return names.map((name) => readString(file, strings + name));
}

/**
 * Converts a memory address to a position in an ELF file. An ELF file contains only the memory address of its string
 * table, not the position.
 */
function fileOffset(segments: Segment[], address: number): number {
  const segment = segments.find(
    ({ type, address: start, size }) => type === SEGMENT_LOAD && address >= start && address < start + size,
  );
  if (segment === undefined)
    throw new Error('The program or library file is damaged: its ELF string table is missing.');
  return address - segment.address + segment.offset;
}

function readString(file: Buffer, at: number): string {
  return file.toString('latin1', at, file.indexOf(0, at));
}
