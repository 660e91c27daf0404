/** What commands about a guest's data come to. */

export type GuestErasedData = {
  booking_id: string;
  erased_at: string;
  /** Null when it was erased before. */
  seq: number | null;
};

/** A note of the property, without its text. */
export type NoteData = { note_id: string; booking_id: string; created_at: string; seq: number };
