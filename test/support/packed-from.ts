/** A journal of a few hundred rows has packed blocks too: texts are from so many bytes on. */
export const PACKED_FROM_BYTES = 512;
