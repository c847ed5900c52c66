// Neighbors that were heard and are not known, which have no id but what they claim to be.

interface Unknown {
  claim?: string | null;
  sysName?: string | null;
  chassisId?: string | null;
  mgmtAddr?: string | null;
  evidence: readonly { observationId: string }[];
}

const BEGINNING = "unknown ";

/** By what pictures call such a neighbor, drawn by itself or among several. */
export const unknownId = ({ claim, evidence }: Unknown): string =>
  `${BEGINNING}${claim ?? evidence[0]?.observationId ?? ""}`;

export const isUnknownId = (id: string): boolean => id.startsWith(BEGINNING);

/** What it calls itself, or the next best. */
export const nameOf = (neighbor: Unknown | undefined): string =>
  neighbor?.sysName ?? neighbor?.chassisId ?? neighbor?.mgmtAddr ?? neighbor?.claim ?? "Unnamed";
