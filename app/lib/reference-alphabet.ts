/** Letters and digits of references and of certificates' numbers: none of them looks like another (P23, P64). */
export const referenceAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
