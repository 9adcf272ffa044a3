/** Someone who may see /staff. */
export type Staff = { id: number; name: string; email: string };
