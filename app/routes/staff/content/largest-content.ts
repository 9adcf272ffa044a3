/** Bytes of the largest form of content: a module has up to 60,000 characters, which take more on their way. */
export const largestContent = 256 * 1024;
