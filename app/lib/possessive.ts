/** `Ada’s`, and `James’` where a name ends in s. */
export const possessive = (name: string): string => (/s$/i.test(name) ? `${name}’` : `${name}’s`);
