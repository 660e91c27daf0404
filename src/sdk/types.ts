/** What calls take and give. Made of the OpenAPI document, and held equal by a test. */

/** Every call by its operation id: what it takes, and `data` of its answer. */
export interface Operations {
  /** List the properties you may sell. */
  readonly list_properties: {
    readonly data: PropertyOutList;
  };
  /** Get a property with room types and rate plans. */
  readonly get_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly query?:
      | {
          /** `true` answers the same as `get_property_full`. */
          readonly full?: "true" | "false" | undefined;
          /**
           * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does
           * not change charges; `display` is null without a known rate.
           */
          readonly currency?: string | undefined;
        }
      | undefined;
    readonly data: PropertyDetailOut;
  };
  /** Get all published facts of a property. */
  readonly get_property_full: {
    readonly params: {
      /** Slug or id of the property. */
      readonly slug: string;
    };
    readonly query?:
      | {
          /**
           * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does
           * not change charges; `display` is null without a known rate.
           */
          readonly currency?: string | undefined;
        }
      | undefined;
    readonly data: PropertyFullOut;
  };
  /** Search available rooms. */
  readonly search: {
    readonly body: SearchRequest;
    readonly data: Search;
  };
  /** List all offers of a property for a stay. */
  readonly list_offers: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly query: {
      /** The day of arrival. */
      readonly check_in: string;
      /** The day of departure. */
      readonly check_out: string;
      /** Adults; 2 by default. */
      readonly adults?: number | undefined;
      /** Ages of the children in completed years, separated by commas; none by default. */
      readonly children?: string | undefined;
      /**
       * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does not
       * change charges; `display` is null without a known rate.
       */
      readonly currency?: string | undefined;
    };
    readonly data: PropertyOffers;
  };
  /** Complete the name of a place. */
  readonly find_places: {
    readonly query: {
      /** Prefix of a name, or of a word in it, in any known language. */
      readonly q: string;
      /** Maximum number of places; 10 by default. */
      readonly limit?: number | undefined;
    };
    readonly data: PlaceList;
  };
  /** Start a session of questions about a property. */
  readonly create_advisor_session: {
    readonly body: AdvisorSessionRequest;
    readonly data: AdvisorSession;
  };
  /** Get a session with its messages. */
  readonly get_advisor_session: {
    readonly params: {
      /** Id of the session. */
      readonly id: string;
    };
    readonly data: AdvisorSession;
  };
  /** Delete a session with its messages. */
  readonly delete_advisor_session: {
    readonly params: {
      /** Id of the session. */
      readonly id: string;
    };
    readonly data: AdvisorSession;
  };
  /** Ask about the property. */
  readonly ask_advisor: {
    readonly params: {
      /** Id of the session. */
      readonly id: string;
    };
    readonly body: AdvisorMessageRequest;
    readonly data: AdvisorSession;
  };
  /** Freeze price and cancellation terms. */
  readonly quote: {
    readonly query?:
      | {
          /**
           * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does
           * not change charges; `display` is null without a known rate.
           */
          readonly currency?: string | undefined;
        }
      | undefined;
    readonly body: QuoteRequest;
    readonly data: Quote;
  };
  /** Get a quote. */
  readonly get_quote: {
    readonly params: {
      /** Id of the quote. */
      readonly id: string;
    };
    readonly query?:
      | {
          /**
           * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does
           * not change charges; `display` is null without a known rate.
           */
          readonly currency?: string | undefined;
        }
      | undefined;
    readonly data: Quote;
  };
  /** Hold the room of a quote. */
  readonly hold: {
    readonly body: HoldRequest;
    readonly data: Hold;
  };
  /** List your open holds. */
  readonly list_holds: {
    readonly query?:
      | {
          /** Only holds in this state. */
          readonly state?: "held" | "confirming" | undefined;
        }
      | undefined;
    readonly data: OwnHoldList;
  };
  /** Get a hold. */
  readonly get_hold: {
    readonly params: {
      /** Id of the hold. */
      readonly id: string;
    };
    readonly data: HoldDetail;
  };
  /** Release a hold. */
  readonly release_hold: {
    readonly params: {
      /** Id of the hold. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: ReleasedHold;
  };
  /** Extend a hold. */
  readonly extend_hold: {
    readonly params: {
      /** Id of the hold. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: ExtendedHold;
  };
  /** Hand a hold over to the traveler. */
  readonly create_checkout_session: {
    readonly body: CreateCheckoutSessionRequest;
    readonly data: CheckoutSession;
  };
  /** Get a checkout session. */
  readonly get_checkout_session: {
    readonly params: {
      /** Id of the checkout session. */
      readonly id: string;
    };
    readonly data: CheckoutSession;
  };
  /** Take a checkout page back. */
  readonly cancel_checkout_session: {
    readonly params: {
      /** Id of the checkout session. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: CheckoutSession;
  };
  /** Confirm a hold, take payment, get a signed receipt. */
  readonly book: {
    readonly body: BookRequest;
    readonly data: Booking;
  };
  /** List your bookings, or find one. */
  readonly find_bookings: {
    readonly query?:
      | {
          /** The guest's confirmation code, in any case. */
          readonly confirmation_code?: string | undefined;
          /** The hold that became the booking. */
          readonly hold_id?: string | undefined;
          /** Of the list: only bookings in this state. */
          readonly state?:
            | "confirmed"
            | "checked_in"
            | "completed"
            | "cancelled"
            | "no_show"
            | undefined;
          /** Of the list: bookings made at this instant or later. */
          readonly created_from?: string | undefined;
          /** Of the list: bookings made at this instant or earlier. */
          readonly created_to?: string | undefined;
        }
      | undefined;
    readonly data: FoundBookingList;
  };
  /** Cancel a booking. */
  readonly cancel: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: CancelRequest | undefined;
    readonly data: Cancellation;
  };
  /** Get a booking. */
  readonly get_booking: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly data: BookingDetail;
  };
  /** Change a booking. */
  readonly modify_booking: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body: ModificationRequest;
    readonly data: Modification;
  };
  /** Get a booking's events. */
  readonly get_audit: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly data: Audit;
  };
  /** Preview a cancellation. */
  readonly get_cancellation_quote: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly query?:
      | {
          /** Instant of the cancellation; now by default. */
          readonly at?: string | undefined;
        }
      | undefined;
    readonly data: CancellationQuote;
  };
  /** Get a refund. */
  readonly get_refund: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
      /** Id of the refund. */
      readonly refund_id: string;
    };
    readonly data: Refund;
  };
  /** Get a booking authorization. */
  readonly get_booking_authorization: {
    readonly params: {
      /** Id of the authorization. */
      readonly id: string;
    };
    readonly data: BookingAuthorization;
  };
  /** Resend the confirmation. */
  readonly resend_confirmation: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: SentNotification;
  };
  /** Read the desk's day. */
  readonly admin_desk_today: {
    readonly query?:
      | {
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** Items per list; 100 by default. */
          readonly limit?: number | undefined;
        }
      | undefined;
    readonly data: DeskToday;
  };
  /** Find bookings at the desk. */
  readonly admin_list_bookings: {
    readonly query?:
      | {
          /** The guest's confirmation code, in any case. */
          readonly confirmation_code?: string | undefined;
          /** The guest's e-mail address or full name, in any case. */
          readonly guest?: string | undefined;
          /** The hold that became the booking. */
          readonly hold_id?: string | undefined;
          /** Stays that begin on this date. */
          readonly arrivals?: string | undefined;
          /** Stays that end on this date. */
          readonly departures?: string | undefined;
          /** Stays with a night on this date. */
          readonly in_house?: string | undefined;
          /** Stays that begin on this date or later; with `check_in_to`. */
          readonly check_in_from?: string | undefined;
          /** Stays that begin on this date or earlier; with `check_in_from`. */
          readonly check_in_to?: string | undefined;
          /** Bookings made at this instant or later; with `created_to`. */
          readonly created_from?: string | undefined;
          /** Bookings made at this instant or earlier; with `created_from`. */
          readonly created_to?: string | undefined;
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** Only bookings in this state. */
          readonly state?:
            | "confirmed"
            | "checked_in"
            | "completed"
            | "cancelled"
            | "no_show"
            | undefined;
          /** Only bookings of this agent. */
          readonly agent_id?: string | undefined;
        }
      | undefined;
    readonly data: DeskBookingList;
  };
  /** Book for a guest at the desk. */
  readonly admin_book: {
    readonly body: AdminBookRequest;
    readonly data: Booking;
  };
  /** Find bookings by a part of a guest's name. */
  readonly admin_search_guests: {
    readonly body: AdminSearchGuestsRequest;
    readonly data: FoundGuests;
  };
  /** Quote a stay that is paid at the property. */
  readonly admin_quote_at_property: {
    readonly query?:
      | {
          /**
           * Also show amounts in this currency (ISO 4217) by the tenant's exchange rates. Does
           * not change charges; `display` is null without a known rate.
           */
          readonly currency?: string | undefined;
        }
      | undefined;
    readonly body: QuoteRequest;
    readonly data: Quote;
  };
  /** Read the notes about a booking. */
  readonly admin_list_booking_notes: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly data: BookingNoteList;
  };
  /** Write a note about a booking. */
  readonly admin_add_booking_note: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body: AdminAddBookingNoteRequest;
    readonly data: AddedBookingNote;
  };
  /** Cancel a booking for the property. */
  readonly admin_cancel_booking: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body: AdminCancelBookingRequest;
    readonly data: Cancellation;
  };
  /** Check a guest in. */
  readonly admin_check_in: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: CheckedIn;
  };
  /** Undo a check-in. */
  readonly admin_undo_check_in: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: CheckInUndone;
  };
  /** Record a no-show. */
  readonly admin_no_show: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: NoShow;
  };
  /** Check a guest out. */
  readonly admin_complete_booking: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: CompletedStay;
  };
  /** List the active holds. */
  readonly admin_list_holds: {
    readonly query?:
      | {
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** Only holds in this state. */
          readonly state?: "held" | "confirming" | undefined;
        }
      | undefined;
    readonly data: OpenHoldList;
  };
  /** List the open payments. */
  readonly admin_list_payments: {
    readonly query?:
      | {
          /** Only payments in this state. */
          readonly state?: "pending" | "unknown" | undefined;
          /** Minimum age in seconds. */
          readonly older_than_s?: number | undefined;
        }
      | undefined;
    readonly data: DeskPaymentList;
  };
  /** Get a payment. */
  readonly admin_get_payment: {
    readonly params: {
      /** Id of the payment. */
      readonly id: string;
    };
    readonly data: DeskPayment;
  };
  /** Preview a change of a booking. */
  readonly get_modification_quote: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body: ModificationQuoteRequest;
    readonly data: ModificationQuote;
  };
  /** List the pending and failed refunds. */
  readonly admin_list_refunds: {
    readonly query?:
      | {
          /** Only refunds in this state. */
          readonly state?: "pending" | "failed" | undefined;
          /** Minimum age in seconds. */
          readonly older_than_s?: number | undefined;
        }
      | undefined;
    readonly data: DeskRefundList;
  };
  /** Get a refund at the desk. */
  readonly admin_get_refund: {
    readonly params: {
      /** Id of the refund. */
      readonly id: string;
    };
    readonly data: DeskRefund;
  };
  /** List the refunds of a booking. */
  readonly admin_list_booking_refunds: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly data: BookingRefunds;
  };
  /** Refund a booking's payment, in whole or in part. */
  readonly admin_refund_booking: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body: AdminRefundBookingRequest;
    readonly data: MadeRefund;
  };
  /** Repeat a failed refund. */
  readonly admin_retry_refund: {
    readonly params: {
      /** Id of the refund. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: MadeRefund;
  };
  /** Record that a failed refund was paid back another way. */
  readonly admin_settle_refund: {
    readonly params: {
      /** Id of the refund. */
      readonly id: string;
    };
    readonly body: AdminSettleRefundRequest;
    readonly data: MadeRefund;
  };
  /** List the booking authorizations. */
  readonly admin_list_authorizations: {
    readonly query?:
      | {
          /** Only authorizations in this state. */
          readonly state?: "pending" | "approved" | "consumed" | "revoked" | "expired" | undefined;
          /** Only those of this agent. */
          readonly agent_id?: string | undefined;
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** Requested at this instant or later. */
          readonly created_from?: string | undefined;
          /** Requested before this instant. */
          readonly created_before?: string | undefined;
        }
      | undefined;
    readonly data: DeskAuthorizationList;
  };
  /** Grant a booking authorization unasked. */
  readonly admin_grant_authorization: {
    readonly body: AdminGrantAuthorizationRequest;
    readonly data: DecidedAuthorization;
  };
  /** Get a booking authorization for operators. */
  readonly admin_get_authorization: {
    readonly params: {
      /** Id of the authorization. */
      readonly id: string;
    };
    readonly data: DeskAuthorization;
  };
  /** Approve a booking authorization. */
  readonly admin_approve_authorization: {
    readonly params: {
      /** Id of the authorization. */
      readonly id: string;
    };
    readonly body?: AdminApproveAuthorizationRequest | undefined;
    readonly data: DecidedAuthorization;
  };
  /** Revoke a booking authorization. */
  readonly admin_revoke_authorization: {
    readonly params: {
      /** Id of the authorization. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: DecidedAuthorization;
  };
  /** List the oversell incidents. */
  readonly admin_list_oversell_incidents: {
    readonly query?:
      | {
          /** Only incidents in this state. */
          readonly state?: "open" | "acknowledged" | "resolved" | "dismissed" | undefined;
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** Opened at this instant or later. */
          readonly opened_from?: string | undefined;
          /** Opened before this instant. */
          readonly opened_before?: string | undefined;
        }
      | undefined;
    readonly data: OversellIncidentList;
  };
  /** Scan a night for overselling. */
  readonly admin_scan_oversell: {
    readonly body: OversellScan;
    readonly data: DecidedIncident;
  };
  /** Get an oversell incident. */
  readonly admin_get_oversell_incident: {
    readonly params: {
      /** Id of the incident. */
      readonly id: string;
    };
    readonly data: OversellIncidentDetail;
  };
  /** Acknowledge an oversell incident. */
  readonly admin_acknowledge_oversell_incident: {
    readonly params: {
      /** Id of the incident. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: DecidedIncident;
  };
  /** Act on an oversell incident. */
  readonly admin_resolve_oversell_incident: {
    readonly params: {
      /** Id of the incident. */
      readonly id: string;
    };
    readonly body: OversellResolution;
    readonly data: DecidedIncident;
  };
  /** Erase a guest's data of a booking. */
  readonly admin_erase_guest: {
    readonly params: {
      /** Id of the booking. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: ErasedGuest;
  };
  /** Erase a guest's data of all bookings. */
  readonly admin_erase_guests: {
    readonly body: GuestErasure;
    readonly data: GuestErasureItemList;
  };
  /** Get the policy of booking authorizations. */
  readonly admin_get_authorization_policy: {
    readonly data: AuthorizationPolicy;
  };
  /** Set which bookings need an authorization. */
  readonly admin_set_authorization_policy: {
    readonly body: AdminSetAuthorizationPolicyRequest;
    readonly data: ChangedAuthorizationPolicy;
  };
  /** Get the time of test mode. */
  readonly admin_get_test_clock: {
    readonly data: TestClock;
  };
  /** Advance or reset the time of test mode. */
  readonly admin_move_test_clock: {
    readonly body: AdminMoveTestClockRequest;
    readonly data: MovedTestClock;
  };
  /** Read key figures. */
  readonly admin_get_kpis: {
    readonly query?:
      | {
          /** Only at this property, by its id or slug. */
          readonly property_id?: string | undefined;
          /** The first day; 30 days before `to` by default. */
          readonly from?: string | undefined;
          /** The last day, included; today by default. */
          readonly to?: string | undefined;
          /** Length of each period; `day` by default. */
          readonly granularity?: "day" | "week" | "month" | "total" | undefined;
          /**
           * An event number (`seq`) or an RFC 3339 instant: figures as of then. Now unless
           * given.
           */
          readonly as_of?: string | undefined;
          /** Also reports changes in this many days before `as_of`. */
          readonly pickup_days?: number | undefined;
        }
      | undefined;
    readonly data: Kpis;
  };
  /** Verify a receipt. */
  readonly verify_receipt: {
    readonly body: Receipt;
    readonly data: VerifiedReceipt;
  };
  /** Anchor the tenant's events. */
  readonly admin_get_audit_anchor: {
    readonly query?:
      | {
          /** Event number; the anchor is the one after that event. The last event by default. */
          readonly seq?: number | undefined;
        }
      | undefined;
    readonly data: AuditAnchor;
  };
  /** Pull or follow the tenant's events. */
  readonly list_events: {
    readonly query?:
      | {
          /** Number of the last event received; 0 by default. */
          readonly after_seq?: number | undefined;
          /** Only these kinds, separated by commas; all by default. */
          readonly kinds?: string | undefined;
          /** Only events about this subject: type and id, such as `booking:bkg_…`. */
          readonly subject?: string | undefined;
          /** Events of a page; 100 by default. */
          readonly limit?: number | undefined;
          /** Seconds to wait if there is no event yet; 0 by default. */
          readonly wait_s?: number | undefined;
        }
      | undefined;
    readonly data: EventPage;
  };
  /** List the kinds of events. */
  readonly list_event_kinds: {
    readonly data: EventKinds;
  };
  /** Import properties. */
  readonly admin_import_properties: {
    readonly query?:
      | {
          /** `true`: nothing is changed; each line has its expected result. */
          readonly dry_run?: "true" | "false" | undefined;
        }
      | undefined;
    readonly contentType: "application/x-ndjson" | "text/csv";
    readonly body: string;
    readonly data: ImportResult;
  };
  /** Put many properties on sale. */
  readonly admin_promote_properties: {
    readonly body?: AdminPromotePropertiesRequest | undefined;
    readonly data: Promotions;
  };
  /** List all properties. */
  readonly admin_list_properties: {
    readonly query?:
      | {
          /** At most so many; all by default. */
          readonly limit?: number | undefined;
        }
      | undefined;
    readonly data: PropertySummaryList;
  };
  /** Create a property. */
  readonly admin_create_property: {
    readonly body: NewProperty;
    readonly data: CreatedProperty;
  };
  /** Get a stored property. */
  readonly admin_get_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly data: AdminProperty;
  };
  /** Replace a property. */
  readonly admin_replace_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body: PropertyReplacement;
    readonly data: ChangedProperty;
  };
  /** Change parts of a property. */
  readonly admin_patch_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body: PropertyPatch;
    readonly data: ChangedProperty;
  };
  /** Delete a draft. */
  readonly admin_delete_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly data: DeletedProperty;
  };
  /** Put a property on sale. */
  readonly admin_promote_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body?: AdminPromotePropertyRequest | undefined;
    readonly data: Promotion;
  };
  /** Import rates and inventory. */
  readonly admin_import_ari: {
    readonly query?:
      | {
          /** `true`: nothing is changed; each line has its expected result. */
          readonly dry_run?: "true" | "false" | undefined;
        }
      | undefined;
    readonly contentType: "text/csv" | "application/x-ndjson";
    readonly body: string;
    readonly data: AriImportResult;
  };
  /** Take a property off sale. */
  readonly admin_suspend_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: OffSaleProperty;
  };
  /** Take a property off sale permanently. */
  readonly admin_archive_property: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: OffSaleProperty;
  };
  /** Read availability, rates and restrictions. */
  readonly admin_get_ari: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly query?:
      | {
          /** The first night; today at the property by default. */
          readonly from?: string | undefined;
          /** The last night, included; 31 nights from the first by default. */
          readonly to?: string | undefined;
          /** Instead of `to`: how many nights from the first. */
          readonly nights?: number | undefined;
          /** Only this room type: its id or code. */
          readonly room_type?: string | undefined;
          /** Only this rate plan: its id or code, of every room type that has it. */
          readonly rate_plan?: string | undefined;
          /** Only room types with this text in their name or code, in any case. */
          readonly room_name?: string | undefined;
          /** Largest number of room types; `room_types_found` then counts all of them. */
          readonly room_limit?: number | undefined;
          /** How many of them to leave out before the first. */
          readonly room_offset?: number | undefined;
          /**
           * An event number (`seq`) or an RFC 3339 instant: the nights as of then. Now unless
           * given.
           */
          readonly as_of?: string | undefined;
        }
      | undefined;
    readonly data: AriNights | PastFolding;
  };
  /** Update availability, rates and restrictions. */
  readonly admin_update_ari: {
    readonly params: {
      /** Id or slug of the property. */
      readonly id: string;
    };
    readonly body: AriUpdate;
    readonly data: AriApplied;
  };
  /** Explain why a stay can or cannot be sold. */
  readonly admin_explain_availability: {
    readonly query: {
      /** The property: its id or slug. */
      readonly property: string;
      /** One of its room types: the id or code. */
      readonly room_type: string;
      /** One of the room type's rate plans: the id or code. */
      readonly rate_plan: string;
      /** The day of arrival, which may be in the past. */
      readonly check_in: string;
      /** The day of departure. */
      readonly check_out: string;
      /** Adults; 2 by default. */
      readonly adults?: number | undefined;
      /** Ages of the children in completed years, separated by commas; none by default. */
      readonly children?: string | undefined;
      /** Explain for this agent and its ceilings; for any agent by default. */
      readonly agent_id?: string | undefined;
      /**
       * An event number (`seq`) or an RFC 3339 instant: the explanation as of then. Now unless
       * given.
       */
      readonly as_of?: string | undefined;
    };
    readonly data: StayExplanation | PastFolding;
  };
  /** Set the exchange rates for display. */
  readonly admin_set_fx_rates: {
    readonly body: AdminSetFxRatesRequest;
    readonly data: FxRates;
  };
  /** Get the advisor's configuration. */
  readonly get_ai_config: {
    readonly data: AiConfig;
  };
  /** Set the advisor's configuration. */
  readonly set_ai_config: {
    readonly body: AiConfigRequest;
    readonly data: AiConfig;
  };
  /** List the agents. */
  readonly list_agents: {
    readonly data: AgentList;
  };
  /** Create an agent with a credential. */
  readonly create_agent: {
    readonly body: CreateAgentRequest;
    readonly data: CreatedAgent;
  };
  /** Get an agent with its credentials. */
  readonly get_agent: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
    };
    readonly data: AgentDetail;
  };
  /** Change an agent. */
  readonly update_agent: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
    };
    readonly body: UpdateAgentRequest;
    readonly data: Agent;
  };
  /** Revoke an agent. */
  readonly revoke_agent: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
    };
    readonly data: Agent;
  };
  /** Issue another credential. */
  readonly create_credential: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
    };
    readonly body?: CreateCredentialRequest | undefined;
    readonly data: CreatedCredential;
  };
  /** Replace a credential. */
  readonly rotate_credential: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
      /** Id of the credential. */
      readonly credential_id: string;
    };
    readonly body?: RotateCredentialRequest | undefined;
    readonly data: RotatedCredential;
  };
  /** Revoke a credential. */
  readonly revoke_credential: {
    readonly params: {
      /** Id of the agent. */
      readonly id: string;
      /** Id of the credential. */
      readonly credential_id: string;
    };
    readonly data: RevokedCredential;
  };
  /** Get a link that signs in to the console. */
  readonly admin_create_console_link: {
    readonly body?: EmptyRequest | undefined;
    readonly data: ConsoleLink;
  };
  /** List the people. */
  readonly list_people: {
    readonly data: PersonList;
  };
  /** Add a person. */
  readonly create_person: {
    readonly body: CreatePersonRequest;
    readonly data: Person;
  };
  /** Get a person. */
  readonly get_person: {
    readonly params: {
      /** Id of the person. */
      readonly id: string;
    };
    readonly data: Person;
  };
  /** Change a person. */
  readonly update_person: {
    readonly params: {
      /** Id of the person. */
      readonly id: string;
    };
    readonly body: UpdatePersonRequest;
    readonly data: Person;
  };
  /** Get a link that signs a person in. */
  readonly create_person_link: {
    readonly params: {
      /** Id of the person. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: PersonLink;
  };
  /** List the delegation issuers. */
  readonly list_issuers: {
    readonly data: DelegationIssuerList;
  };
  /** Register a delegation issuer. */
  readonly create_issuer: {
    readonly body: CreateIssuerRequest;
    readonly data: DelegationIssuer;
  };
  /** Get a delegation issuer. */
  readonly get_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly data: DelegationIssuer;
  };
  /** Change a delegation issuer. */
  readonly update_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly body: UpdateIssuerRequest;
    readonly data: DelegationIssuer;
  };
  /** Revoke a delegation issuer. */
  readonly delete_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly data: DelegationIssuer;
  };
  /** Suspend a delegation issuer. */
  readonly suspend_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: DelegationIssuer;
  };
  /** Activate a delegation issuer. */
  readonly activate_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: DelegationIssuer;
  };
  /** Revoke a delegation issuer. */
  readonly revoke_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: DelegationIssuer;
  };
  /** Test a token of a delegation issuer. */
  readonly test_issuer: {
    readonly params: {
      /** Id of the issuer. */
      readonly id: string;
    };
    readonly body: TestIssuerRequest;
    readonly data: DelegationTrace;
  };
  /** List the webhook endpoints. */
  readonly list_webhooks: {
    readonly data: WebhookEndpointList;
  };
  /** Create a webhook endpoint. */
  readonly create_webhook: {
    readonly body: CreateWebhookRequest;
    readonly data: WebhookEndpointWithSecret;
  };
  /** Get a webhook endpoint. */
  readonly get_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly data: WebhookEndpoint;
  };
  /** Change a webhook endpoint. */
  readonly update_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body: UpdateWebhookRequest;
    readonly data: WebhookEndpoint;
  };
  /** Delete a webhook endpoint. */
  readonly delete_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly data: WebhookEndpoint;
  };
  /** Pause a webhook endpoint. */
  readonly pause_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: WebhookEndpoint;
  };
  /** Resume a webhook endpoint. */
  readonly resume_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: WebhookEndpoint;
  };
  /** Disable a webhook endpoint. */
  readonly disable_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: WebhookEndpoint;
  };
  /** Replace the secret of a webhook endpoint. */
  readonly rotate_webhook_secret: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body?: RotateWebhookSecretRequest | undefined;
    readonly data: WebhookEndpointWithSecret;
  };
  /** Send a test to a webhook endpoint. */
  readonly test_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body?: TestWebhookRequest | undefined;
    readonly data: WebhookTest;
  };
  /** List deliveries. */
  readonly list_webhook_deliveries: {
    readonly query?:
      | {
          /** Only those to this endpoint. */
          readonly endpoint_id?: string | undefined;
          /** Only those of this event, replays included. */
          readonly webhook_id?: string | undefined;
          /** Only of events of these kinds, separated by commas; all by default. */
          readonly kinds?: string | undefined;
          /** Only of events at this property: its id or slug. */
          readonly property_id?: string | undefined;
          /** Only of events about this subject: type and id, such as `booking:bkg_…`. */
          readonly subject?: string | undefined;
          /** Only in these states, separated by commas; all by default. */
          readonly states?: string | undefined;
          /** Only those whose last attempt failed for this reason. */
          readonly reason?:
            | "address"
            | "dns"
            | "connect"
            | "tls"
            | "timeout"
            | "invalid_answer"
            | "http_4xx"
            | "http_5xx"
            | "gone"
            | "too_many_redirects"
            | "payload_refused"
            | "endpoint_disabled"
            | "endpoint_narrowed"
            | "event_lost"
            | "nothing_to_send"
            | undefined;
          /** Only those whose last answer had this status. */
          readonly status?: string | undefined;
          /** Only those created at this instant or later. */
          readonly since?: string | undefined;
          /** Only those created before this instant. */
          readonly until?: string | undefined;
          /** Only dead letters that were not replayed or discarded. */
          readonly unhandled?: "true" | undefined;
          /** With `limit`: the last delivery of the previous page. */
          readonly after?: string | undefined;
          /** Page size; without it the list is complete. */
          readonly limit?: number | undefined;
        }
      | undefined;
    readonly data: WebhookDeliveryList;
  };
  /** Get a delivery with its attempts. */
  readonly get_webhook_delivery: {
    readonly params: {
      /** Id of the delivery. */
      readonly delivery_id: string;
    };
    readonly data: WebhookDeliveryDetail;
  };
  /** Get an endpoint's hourly statistics. */
  readonly get_webhook_stats: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly query?:
      | {
          /** First hour; a day before `until` by default. */
          readonly since?: string | undefined;
          /** End; now by default. */
          readonly until?: string | undefined;
        }
      | undefined;
    readonly data: WebhookStats;
  };
  /** Get the progress of a recovery. */
  readonly get_webhook_recovery: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
      /** Id of the recovery. */
      readonly recovery_id: string;
    };
    readonly data: WebhookRecovery;
  };
  /** Replay a delivery. */
  readonly replay_webhook_delivery: {
    readonly params: {
      /** Id of the delivery. */
      readonly delivery_id: string;
    };
    readonly body?: EmptyRequest | undefined;
    readonly data: WebhookDelivery;
  };
  /** Discard a delivery. */
  readonly discard_webhook_delivery: {
    readonly params: {
      /** Id of the delivery. */
      readonly delivery_id: string;
    };
    readonly body: DiscardWebhookDeliveryRequest;
    readonly data: WebhookDelivery;
  };
  /** Recover an endpoint's dead letters. */
  readonly recover_webhook: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body: RecoverWebhookRequest;
    readonly data: WebhookRecovery;
  };
  /** Deliver the events that an endpoint missed. */
  readonly replay_missing_webhook_events: {
    readonly params: {
      /** Id of the endpoint. */
      readonly id: string;
    };
    readonly body: ReplayMissingWebhookEventsRequest;
    readonly data: WebhookRecovery;
  };
  /** Get the state of the partner feeds. */
  readonly list_feeds: {
    readonly data: FeedList;
  };
  /** List the runs of a feed. */
  readonly list_feed_runs: {
    readonly params: {
      /**
       * One of `google`, `bing`, `yandex`, `tripadvisor`, `trivago`, `kayak`; `microsoft` is
       * `bing`.
       */
      readonly partner: string;
    };
    readonly data: FeedRunList;
  };
  /** Build a feed now. */
  readonly run_feed: {
    readonly params: {
      /**
       * One of `google`, `bing`, `yandex`, `tripadvisor`, `trivago`, `kayak`; `microsoft` is
       * `bing`.
       */
      readonly partner: string;
    };
    readonly body?: RunFeedRequest | undefined;
    readonly data: FeedRun;
  };
  /** Get a run. */
  readonly get_feed_run: {
    readonly params: {
      /**
       * One of `google`, `bing`, `yandex`, `tripadvisor`, `trivago`, `kayak`; `microsoft` is
       * `bing`.
       */
      readonly partner: string;
      /** Id of the run. */
      readonly run_id: string;
    };
    readonly data: FeedRun;
  };
}

/**
 * Status of an agent or issuer. Calls and tokens are accepted only while `active`; `revoked` is
 * final.
 */
export type AccessState = "active" | "suspended" | "revoked";

/** The caller or part of the service that did it. */
export interface Actor {
  /** `agent`, `operator`, … or `system`. */
  readonly kind: string;
  /** Id of the agent or operator, or the part of the service. */
  readonly id: string;
  /** The person who acted for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
}

/** A note that was added. */
export interface AddedBookingNote {
  /** Opaque id. */
  readonly note_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** Another guest. */
export interface AdditionalGuest {
  /**
   * text of 1 to 200 characters, not blank and without control characters: a name as in the
   * passport
   */
  readonly full_name: string;
}

/** Postal address. */
export interface Address {
  /** Street and number. */
  readonly line1: string;
  /** Second address line. */
  readonly line2?: string | undefined;
  /** Name of the city. */
  readonly city: string;
  /** State or province. */
  readonly region?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Postal code. */
  readonly postal_code?: string | undefined;
}

export interface AdminAddBookingNoteRequest {
  /** text of 1 to 2000 characters, not blank */
  readonly text: string;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminApproveAuthorizationRequest {
  /** minor units, at least 1; what was asked for if left out */
  readonly max_amount?: number | undefined;
  /** text of 1 to 500 characters, stored encrypted for the operators */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminBookRequest {
  /** text of 1 to 64 characters: data.hold_id of a hold of your own */
  readonly hold_id: string;
  /** text of 1 to 64 characters: data.quote_id of the quote */
  readonly quote_id: string;
  readonly guest: Guest;
  readonly payment: DeskPaymentInput;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminCancelBookingRequest {
  /** text of 1 to 500 characters, not blank: why the property cancels */
  readonly reason: string;
  /** true to refund everything */
  readonly waive_fee?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminGrantAuthorizationRequest {
  /** text of 1 to 64 characters: the agent that may book */
  readonly agent_id: string;
  /** text of 1 to 120 characters: a property's id or slug */
  readonly hotel_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** minor units, at least 1: the highest total */
  readonly max_amount: number;
  /** three uppercase letters, a currency of ISO 4217 */
  readonly currency: string;
  readonly traveler?: AdminGrantAuthorizationRequestTraveler | undefined;
  /** seconds from 300 (five minutes) to 604800 (a week) */
  readonly ttl_s?: number | undefined;
  /** text of 1 to 500 characters, stored encrypted for the operators */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** the only traveler, by `iss` and `sub` of its delegation tokens; anyone by default */
export interface AdminGrantAuthorizationRequestTraveler {
  /** the issuer of its delegation tokens */
  readonly iss: string;
  /** the traveler's id there */
  readonly sub: string;
}

export interface AdminMoveTestClockRequest {
  /** whole seconds to advance, 1 to 31536000 */
  readonly advance_s?: number | undefined;
  /** true: back to real time */
  readonly reset?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** Cancellation terms with the no-show fee. */
export interface AdminPolicy {
  /** Version among the policies of the kind; text. */
  readonly version: string;
  readonly cancellation_kind: CancellationKind;
  /** Hours before check-in until which cancelling is free. */
  readonly free_cancellation_hours_before_checkin: number;
  /** Percent of the prepaid total kept after that. */
  readonly cancellation_fee_pct_after_cutoff: number;
  /** Information for parents, in words. */
  readonly child_policy_text: string | null;
  /** Percent of the prepaid total kept for a no-show. */
  readonly no_show_fee_pct: number;
}

export interface AdminPromotePropertiesRequest {
  /** ids or slugs; by default every draft that the caller has access to */
  readonly property_ids?: readonly string[] | undefined;
  /** True: nothing is changed, the answer is a preview. */
  readonly dry_run?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminPromotePropertyRequest {
  /** True: nothing is changed, the answer is a preview. */
  readonly dry_run?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A stored property. */
export interface AdminProperty {
  /** Opaque id. */
  readonly id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** The operator's code, unique among its properties; imports match by it. */
  readonly external_code?: string | undefined;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: Address;
  readonly geo: Geo;
  /** Landmarks by which searches find the property; absent without any. */
  readonly landmarks?: readonly Landmark[] | undefined;
  /** ISO 4217 code. */
  readonly default_currency: string;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone: string;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[];
  /** Addresses of pictures. */
  readonly images: readonly string[];
  /** E.164, as `+34911234567`. */
  readonly phone: string | null;
  /** E-mail address. */
  readonly email: string | null;
  /** Whether pets may stay. */
  readonly pets_allowed: boolean;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms: number | null;
  /** Local `HH:mm`. */
  readonly checkin_time: string | null;
  /** Local `HH:mm`. */
  readonly checkout_time: string | null;
  readonly policies: readonly AdminPolicy[];
  readonly tax_rules: readonly TaxRule[];
  readonly child_bands: readonly ChildBand[];
  readonly room_types: readonly AdminRoomType[];
  readonly state: PropertyState;
  readonly mode: Mode;
  /** Counts the object's changes. */
  readonly version: number;
}

/** A rate plan with all its terms. */
export interface AdminRatePlan {
  /** Opaque id. */
  readonly id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly base_rate_per_night: number;
  readonly derived_from?: DerivedRate | undefined;
  readonly meal_plan: MealPlan;
  readonly cancellation_kind: CancellationKind;
  /** Minor units of the currency (ISO 4217). */
  readonly extra_adult_per_night: number;
  readonly adjustments: readonly LengthOfStayAdjustment[];
  /** Of those that a stay has, the one that takes most off applies, alone. */
  readonly discounts?: readonly Discount[] | undefined;
}

export interface AdminRefundBookingRequest {
  /** minor units, at least 1; all that remains if left out */
  readonly amount?: number | undefined;
  /** one of requested, service, goodwill, duplicate, other */
  readonly reason: "requested" | "service" | "goodwill" | "duplicate" | "other";
  /** text of at most 500 characters, stored encrypted for the property */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A room type with all its terms. */
export interface AdminRoomType {
  /** Opaque id. */
  readonly id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  /** Guests covered by the rate. */
  readonly included_occupancy: number;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Square metres. */
  readonly floor_size_sqm: number | null;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[];
  /** Addresses of pictures. */
  readonly images: readonly string[];
  /** Whether guests may smoke. */
  readonly smoking_allowed: boolean;
  /** Units of a night without a value by date. */
  readonly default_inventory: number;
  /** Units that may be sold beyond capacity. */
  readonly overbooking_limit: number;
  readonly rate_plans: readonly AdminRatePlan[];
}

export interface AdminSearchGuestsRequest {
  /** text of 2 to 200 characters: parts of the name, in any order */
  readonly guest: string;
  /** The property. */
  readonly property_id?: string | undefined;
  /** one of confirmed, checked_in, completed, cancelled, no_show */
  readonly state?: "confirmed" | "checked_in" | "completed" | "cancelled" | "no_show" | undefined;
  /** a date as YYYY-MM-DD */
  readonly check_in_from?: string | undefined;
  /** a date as YYYY-MM-DD */
  readonly check_in_to?: string | undefined;
  /** text of 1 to 64 characters: next_after of the answer that this search continues */
  readonly after?: string | undefined;
}

export interface AdminSetAuthorizationPolicyRequest {
  readonly required_when: AuthorizationRequiredWhen;
  readonly over?: MoneyOrNull | undefined;
  /** Who approves; travelers cannot in this version. */
  readonly approver?: "operator" | undefined;
  /** seconds from 300 (five minutes) to 604800 (a week) */
  readonly ttl_s?: number | undefined;
  /** hundredths of a percent, from 0 to 10000, that a booking may be dearer than requested */
  readonly tolerance_bps?: number | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminSetFxRatesRequest {
  /** three uppercase letters, a currency of ISO 4217 */
  readonly base: string;
  /** Units of each currency for one of `base`. */
  readonly rates: Readonly<Record<string, string>>;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface AdminSettleRefundRequest {
  readonly method: OtherMethod;
  /** text of at most 500 characters, stored encrypted for the property */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A question, or its answer. */
export interface AdvisorMessage {
  /** Opaque id. */
  readonly id: string;
  /** `user` asks, `assistant` answers. */
  readonly role: "user" | "assistant";
  /** Plain text in the language of the question, one sentence per line. */
  readonly message: string;
  /** Facts of the answer, such as `checkin_time: 15:00`; empty for a question. */
  readonly grounded_facts: readonly string[];
  readonly suggestions: readonly AdvisorSuggestion[];
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  readonly answered_by: AdvisorSource;
  /** Why the rules answered instead of the model, such as `timeout`; null otherwise. */
  readonly fallback_reason: string | null;
}

export interface AdvisorMessageRequest {
  /** For people; do not parse it. */
  readonly message: string;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** Questions about one property and their answers, oldest first. */
export interface AdvisorSession {
  /** Visible only to its agent. */
  readonly session_id: string;
  /** The property of the session. */
  readonly property_slug: string;
  /** Its name. */
  readonly property_name: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
  readonly messages: readonly AdvisorMessage[];
}

export interface AdvisorSessionRequest {
  /** text of 1 to 120 characters: a property's slug or id */
  readonly property_slug: string;
  /** text of 2 to 16 characters: a language tag, as de-CH */
  readonly locale?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** Source of an answer: the rules of this service or the tenant's model. */
export type AdvisorSource = "rules" | "model" | null;

/** A link related to an answer. */
export interface AdvisorSuggestion {
  /** Text on the guest's bill. */
  readonly label: string;
  /** Path on this service. */
  readonly href: string;
}

/** An API client and its rights. */
export interface Agent {
  /** The agent. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  readonly kind: AgentKind;
  readonly state: AccessState;
  readonly mode: Mode;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Properties with access; null for all, including future ones. */
  readonly property_ids: readonly string[] | null;
  readonly limits: AgentLimits;
  /** Contact of the agent. */
  readonly contact: string | null;
  readonly daily_summary: DailySummary;
  /** Origins that checkout pages of the agent may lead back to. */
  readonly return_origins: readonly string[];
  /** True: guests book through it on the hotels' own pages. */
  readonly sells_directly: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_seen_at: string | null;
  /** Counts the object's changes. */
  readonly version: number;
}

/** The OAuth client that acts as the agent; what it says of itself is not verified. */
export type AgentConnection = {
  /** The agent's id. */
  readonly client_id: string;
  /** What the client calls itself. */
  readonly client_name: string | null;
  /** Host, or scheme of an app, that gets the access. */
  readonly redirects_to: string;
  /** Revoking it disconnects the client. */
  readonly credential_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly connected_at: string;
} | null;

/** An agent with its credentials. */
export interface AgentDetail {
  /** The agent. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  readonly kind: AgentKind;
  readonly state: AccessState;
  readonly mode: Mode;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Properties with access; null for all, including future ones. */
  readonly property_ids: readonly string[] | null;
  readonly limits: AgentLimits;
  /** Contact of the agent. */
  readonly contact: string | null;
  readonly daily_summary: DailySummary;
  /** Origins that checkout pages of the agent may lead back to. */
  readonly return_origins: readonly string[];
  /** True: guests book through it on the hotels' own pages. */
  readonly sells_directly: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_seen_at: string | null;
  /** Counts the object's changes. */
  readonly version: number;
  readonly credentials: readonly Credential[];
  readonly connection: AgentConnection;
}

/** `agent` books for travelers, `operator` administers. */
export type AgentKind = "agent" | "operator" | "service" | "partner";

/** Null means without limit. */
export interface AgentLimits {
  /** Calls per minute. */
  readonly rpm: number | null;
  /** Largest burst of calls. */
  readonly burst: number | null;
  readonly max_booking_amount: MoneyOrNull;
  /** Maximum open holds. */
  readonly max_open_holds: number | null;
  /** Maximum open quotes. */
  readonly max_open_quotes: number | null;
  readonly step_up_amount: MoneyOrNull;
}

/** Limits of the agent; null for no limit, omitted for the default. */
export interface AgentLimitsInput {
  /** Calls per minute. */
  readonly rpm?: number | null | undefined;
  /** Largest burst of calls. */
  readonly burst?: number | null | undefined;
  /** Maximum open holds. */
  readonly max_open_holds?: number | null | undefined;
  /** Maximum open quotes. */
  readonly max_open_quotes?: number | null | undefined;
  readonly max_booking_amount?: MoneyOrNull | undefined;
  readonly step_up_amount?: MoneyOrNull | undefined;
}

/** Complete list. An API client and its rights. */
export interface AgentList {
  readonly items: readonly Agent[];
}

/** The advisor's configuration for the tenant and mode. */
export interface AiConfig {
  /** Whether the provider is used; otherwise the rules answer. */
  readonly enabled: boolean;
  readonly provider: AiProvider;
  /** Name of the model. */
  readonly model: string | null;
  /** Address of a chat completions endpoint. */
  readonly endpoint: string | null;
  /** 0 to 2. */
  readonly temperature: number;
  /** Earlier questions sent to the model. */
  readonly max_turns: number;
  /** Topics that the model may answer; empty for all. */
  readonly allowed_topics: readonly string[];
  /** Tone of the model. */
  readonly tone: string | null;
  /** Appended to every answer of the model. */
  readonly disclosure: string | null;
  /** Maximum calls of the model per UTC day. */
  readonly max_calls_per_day: number;
  /** Whether the endpoint's key is stored; never shown. */
  readonly has_secret: boolean;
  /** Counts the object's changes. */
  readonly version: number;
}

export interface AiConfigRequest {
  /** true or false: whether the provider is used */
  readonly enabled: boolean;
  /** one of rules, http */
  readonly provider: "rules" | "http";
  /** text of 1 to 200 characters: a model's name */
  readonly model?: string | null | undefined;
  /** the https address of chat completions */
  readonly endpoint?: string | null | undefined;
  /** a number, 0 to 2 */
  readonly temperature?: number | undefined;
  /** 0 to 50 earlier questions for the model */
  readonly max_turns?: number | undefined;
  /** a list of 0 to 36 different items */
  readonly allowed_topics?:
    | readonly (
        | "checkin"
        | "early_checkin"
        | "checkout"
        | "late_checkout"
        | "reception"
        | "luggage"
        | "address"
        | "distance"
        | "phone"
        | "email"
        | "timezone"
        | "about"
        | "stars"
        | "rooms"
        | "beds"
        | "size"
        | "occupancy"
        | "room_count"
        | "extra_bed"
        | "smoking"
        | "pets"
        | "children"
        | "minimum_age"
        | "meals"
        | "meal_price"
        | "amenities"
        | "cancellation"
        | "taxes"
        | "currency"
        | "payment"
        | "discount"
        | "price"
        | "availability"
        | "booking"
        | "own_booking"
        | "identity"
      )[]
    | undefined;
  /** text of 1 to 200 characters: tone of the model */
  readonly tone?: string | null | undefined;
  /** text of 1 to 500 characters, appended to answers */
  readonly disclosure?: string | null | undefined;
  /** 0 to 1000000 calls of the model */
  readonly max_calls_per_day?: number | undefined;
  /** text of 1 to 500 characters, or null for none */
  readonly secret?: string | null | undefined;
  /** the current version, as in If-Match */
  readonly version?: number | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** `rules`: this service. `http`: a model behind a chat completions endpoint. */
export type AiProvider = "rules" | "http";

/** An offer that can be held instead: `quote` is a body for `POST /v1/quotes`. */
export interface Alternative {
  /** Other dates for the same room, or another room on the same dates. */
  readonly kind: "dates" | "room_type";
  /** Units that can be held now. */
  readonly sellable: number;
  readonly quote: QuoteRequest;
}

/** The refusal and its recovery. */
export interface ApiError {
  readonly code: ErrorCode;
  /** For people; do not parse it. */
  readonly message: string;
  readonly detail: ErrorDetail;
  /** How to recover. */
  readonly remediation: string;
  /** Seconds to wait, as in the `Retry-After` header. */
  readonly retry_after: number | null;
  /** Page of the code. */
  readonly docs_url: string;
  /** W3C trace id; report it to the operator. */
  readonly trace_id: string;
  /** Recovery calls, most useful first. */
  readonly next_actions: readonly NextAction[];
}

/** The frozen terms, and the tier that applied. */
export interface AppliedPolicy {
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
}

/** How many ranges of each list were applied. */
export interface AriApplied {
  /** The property. */
  readonly property_id: string;
  readonly applied: AriCounts;
  /** False: no night changed, nothing was written and `seq` is null. */
  readonly changed?: boolean | undefined;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
  /** The first oversold nights, by date; absent when none is. */
  readonly oversold?: readonly AriOversold[] | undefined;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  /** The first oversell incidents that it opened. */
  readonly incident_ids?: readonly string[] | undefined;
  /** Number of all of them. */
  readonly incidents?: number | undefined;
}

/** A ceiling on the night; null in its scope means all. */
export interface AriCeiling {
  /** The rate plan. */
  readonly rate_plan_id: string | null;
  /** The agent. */
  readonly agent_id: string | null;
  /** The maximum or minimum. */
  readonly limit: number;
  /** Units sold and held in its scope. */
  readonly used: number;
  readonly release: AriRelease;
}

/** The last change of the night, and who made it. */
export type AriChange = {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly actor: Actor;
  /** The fields set; `property` when no value was set by date and the tree applies. */
  readonly fields: readonly string[];
} | null;

/** Inventory, rates, restrictions or ceilings of a property changed. */
export interface AriChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "ari.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AriChangedEventData;
}

/** Data of the event. */
export interface AriChangedEventData {
  /** The property. */
  readonly property_id: string;
  /** Date in the property's own zone. */
  readonly from: string | null;
  /** Date in the property's own zone. */
  readonly to: string | null;
  readonly counts: AriCounts;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  /** The ranges as they were sent; other values did not change. */
  readonly ari?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
}

/**
 * Whether the last change of every night is known. If not, `changed` is null for nights changed
 * before `since`.
 */
export interface AriChanges {
  /** Whether the last change of every night is known. */
  readonly is_complete: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly since: string | null;
}

/** Ranges of each list. */
export interface AriCounts {
  /** Ranges of inventory. */
  readonly inventory: number;
  /** Ranges of rates. */
  readonly rates: number;
  /** Ranges of restrictions. */
  readonly restrictions: number;
  /** Ranges of ceilings. */
  readonly ceilings: number;
}

/** The result of each line. */
export interface AriImportResult {
  /** True: nothing was changed. */
  readonly dry_run: boolean;
  /** Number of lines read. */
  readonly lines: number;
  /** Lines that were applied, or would be applied. */
  readonly applied: number;
  /** Lines of `applied` whose update changes no night; nothing is written for them. */
  readonly unchanged: number;
  /** Rejected lines. */
  readonly failed: number;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  readonly items: readonly AriImportResultItem[];
}

/** Result of a line. */
export interface AriImportResultItem {
  /** Number of the line, from 1. */
  readonly line: number;
  /** The property's name in the line. */
  readonly property: string;
  /** Whether it was imported. */
  readonly ok: boolean;
  /** False: the update with this line changes no night. */
  readonly changed?: boolean | undefined;
  /**
   * Nights that the line leaves oversold; absent when none is. Of lines applied together only
   * the first hundred are listed.
   */
  readonly oversold?: readonly OversoldNight[] | undefined;
  readonly errors?: readonly AriImportResultItemError[] | undefined;
}

/** Error of a line. */
export interface AriImportResultItemError {
  /** Empty for the line as a whole. */
  readonly column: string;
  /** For people; do not parse it. */
  readonly message: string;
  /** The expected value. */
  readonly expected: string;
}

/** The nights of a property, by room type. */
export interface AriNights {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly as_of?: KpiMoment | undefined;
  /** Date in the property's own zone. */
  readonly from: string;
  /** Date in the property's own zone. */
  readonly to: string;
  /** Nights before it are in the past and no longer stored. */
  readonly forgotten_before: string | null;
  readonly changes: AriChanges;
  /** With `room_limit`: how many room types there are. */
  readonly room_types_found?: number | undefined;
  readonly room_types: readonly AriRoom[];
}

/** A night with more sold and held units than effective capacity. */
export interface AriOversold {
  /** The room type. */
  readonly room_type_id: string;
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units sold. */
  readonly sold: number;
  /** Units held. */
  readonly held: number;
  /** capacity − out_of_order + overbooking_limit. */
  readonly effective: number;
  /** Index in the update's `inventory` of the range that set it. */
  readonly range: number;
}

/** The night of a rate plan. */
export interface AriPlanNight {
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** Minor units of the currency (ISO 4217). */
  readonly extra_adult: number;
  readonly rate_source: RateSource;
  readonly restrictions: AriRestrictions;
  readonly changed: AriChange;
}

/** Ranges of nights with their units, prices, rules and ceilings. */
export interface AriRanges {
  readonly inventory?: readonly AriUpdateInventory[] | undefined;
  readonly rates?: readonly AriUpdateRate[] | undefined;
  readonly restrictions?: readonly AriUpdateRestriction[] | undefined;
  readonly ceilings?: readonly AriUpdateCeiling[] | undefined;
}

/** From when the ceiling's unsold units cannot be sold in its scope. */
export type AriRelease = {
  /** A date, or a number of days. */
  readonly strategy: "fixed" | "rolling";
  /** The first such day at the property, of `fixed`. */
  readonly at?: string | undefined;
  /** Days before the night, of `rolling`. */
  readonly days_before?: number | undefined;
} | null;

/** The values set for the night; unset ones are left out. */
export interface AriRestrictions {
  /** True if the night is closed for sale. */
  readonly stop_sell?: boolean | undefined;
  /** Closed to arrival: no stay may begin on the night. */
  readonly cta?: boolean | undefined;
  /** Closed to departure: no stay may end on the day. */
  readonly ctd?: boolean | undefined;
  /** The shortest stay that may begin on the night. */
  readonly min_los_arrival?: number | undefined;
  /** The longest stay that may begin on the night; 0 for no limit. */
  readonly max_los_arrival?: number | undefined;
  /** The shortest stay that may span the night. */
  readonly min_stay_through?: number | undefined;
  /** The longest stay that may span the night; 0 for no limit. */
  readonly max_stay_through?: number | undefined;
  /** Days before an arrival on the night by which a stay must be booked. */
  readonly min_advance_days?: number | undefined;
  /** Days before an arrival on the night from which a stay can be booked; 0 for that day. */
  readonly max_advance_days?: number | undefined;
  /**
   * The lengths of stays that may begin on the night: a letter per number of nights, Y or N; the
   * last one applies to longer stays too.
   */
  readonly los_pattern?: string | undefined;
}

/** The nights of a room type. */
export interface AriRoom {
  /** The room type. */
  readonly room_type_id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  readonly nights: readonly AriRoomNight[];
}

/** The night of a room type. */
export interface AriRoomNight {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units of the night. */
  readonly capacity: number;
  /** Units out of order on the night. */
  readonly out_of_order: number;
  /** Units that may be sold beyond capacity. */
  readonly overbooking_limit: number;
  /** capacity − out_of_order + overbooking_limit. */
  readonly effective: number;
  /** Units sold. */
  readonly sold: number;
  /** Units held. */
  readonly held: number;
  /** Units that could be held, ignoring ceilings. */
  readonly left: number;
  /** Units sold and held beyond effective capacity. */
  readonly oversold: number;
  readonly restrictions: AriRestrictions;
  readonly ceilings: readonly AriCeiling[];
  readonly changed: AriChange;
  readonly rate_plans: readonly AriPlanNight[];
}

/** Ranges of nights with their units, prices, rules and ceilings, or a preview. */
export interface AriUpdate {
  readonly inventory?: readonly AriUpdateInventory[] | undefined;
  readonly rates?: readonly AriUpdateRate[] | undefined;
  readonly restrictions?: readonly AriUpdateRestriction[] | undefined;
  readonly ceilings?: readonly AriUpdateCeiling[] | undefined;
  /** true to change nothing: a preview */
  readonly dry_run?: boolean | undefined;
  /** a whole number: the largest `changed.seq` of the nights read, or a later event's */
  readonly if_unchanged_since?: number | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** Maximum sold and held units over a range of nights. */
export interface AriUpdateCeiling {
  /** a date as YYYY-MM-DD */
  readonly from: string;
  /** a date as YYYY-MM-DD */
  readonly to: string;
  readonly days_of_week?: readonly Weekday[] | undefined;
  /** text of 1 to 64 characters: the id or code of a room type */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of a rate plan */
  readonly rate_plan_id?: string | null | undefined;
  /** The limited agent; null for all agents. */
  readonly agent_id?: string | null | undefined;
  /** Maximum number of sold and held units. */
  readonly ceiling: number | null;
  readonly release?: CeilingRelease | undefined;
}

/** Units over a range of nights. */
export interface AriUpdateInventory {
  /** a date as YYYY-MM-DD */
  readonly from: string;
  /** a date as YYYY-MM-DD */
  readonly to: string;
  readonly days_of_week?: readonly Weekday[] | undefined;
  /** text of 1 to 64 characters: the id or code of a room type */
  readonly room_type_id: string;
  /** Units of the night. */
  readonly capacity?: number | null | undefined;
  /** Units out of order on the night. */
  readonly out_of_order?: number | null | undefined;
  /** Units that may be sold beyond capacity. */
  readonly overbooking_limit?: number | null | undefined;
}

/** The price of a rate plan over a range of nights. */
export interface AriUpdateRate {
  /** a date as YYYY-MM-DD */
  readonly from: string;
  /** a date as YYYY-MM-DD */
  readonly to: string;
  readonly days_of_week?: readonly Weekday[] | undefined;
  /** text of 1 to 64 characters: the id or code of a rate plan */
  readonly rate_plan_id: string;
  /** text of 1 to 64 characters: the room type of the plan, if several have its code */
  readonly room_type_id?: string | undefined;
  /** Price of the night, minor units; null restores the plan's rate. */
  readonly amount?: number | null | undefined;
  /** Price of each adult beyond those the rate covers, minor units. */
  readonly extra_adult?: number | null | undefined;
}

/** Rules of arrival, departure and length over a range of nights. */
export interface AriUpdateRestriction {
  /** a date as YYYY-MM-DD */
  readonly from: string;
  /** a date as YYYY-MM-DD */
  readonly to: string;
  readonly days_of_week?: readonly Weekday[] | undefined;
  /** text of 1 to 64 characters: the id or code of a room type */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of a rate plan */
  readonly rate_plan_id?: string | null | undefined;
  /** True if the night is closed for sale. */
  readonly stop_sell?: boolean | null | undefined;
  /** Closed to arrival: no stay may begin on the night. */
  readonly cta?: boolean | null | undefined;
  /** Closed to departure: no stay may end on the day. */
  readonly ctd?: boolean | null | undefined;
  /** The shortest stay that may begin on the night. */
  readonly min_los_arrival?: number | null | undefined;
  /** The longest stay that may begin on the night; 0 for no limit. */
  readonly max_los_arrival?: number | null | undefined;
  /** The shortest stay that may span the night. */
  readonly min_stay_through?: number | null | undefined;
  /** The longest stay that may span the night; 0 for no limit. */
  readonly max_stay_through?: number | null | undefined;
  /** Days before an arrival on the night by which a stay must be booked. */
  readonly min_advance_days?: number | null | undefined;
  /** Days before an arrival on the night from which a stay can be booked; 0 for that day. */
  readonly max_advance_days?: number | null | undefined;
  /** 1 to 31 letters Y or N, one per number of nights */
  readonly los_pattern?: string | null | undefined;
}

/** Everything that happened to a booking, in order. */
export interface Audit {
  /** The booking. */
  readonly booking_id: string;
  readonly traveler: Traveler;
  readonly events: readonly AuditEvent[];
}

/**
 * The service's signature over a tenant's events: `hash` commits to all events up to number
 * `seq`. Two anchors of one `seq` with different hashes prove that an event was changed; an
 * anchor with a smaller `seq` issued later proves that events were cut.
 */
export interface AuditAnchor {
  /** Kind of the signed subject. */
  readonly kind: "audit_anchor";
  /** Address of the signing service. */
  readonly issuer: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly issued_at: string;
  readonly subject: AuditAnchorSubject;
  /** SHA-256 of the anchor without its signatures, in canonical form (RFC 8785). */
  readonly payload_hash: string;
  /** Signatures of the canonical form, verifiable with the published keys. */
  readonly signatures: readonly PublicSignature[];
}

/** The anchored events. */
export interface AuditAnchorSubject {
  /** The tenant of the events. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** The last event; 0 without events. */
  readonly seq: number;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at?: string | undefined;
}

/**
 * `hash` is the SHA-256 of the canonical JSON (RFC 8785) of the other members, `prev_hash` that
 * of the previous event.
 */
export type AuditEvent =
  | AuditedHoldCreated
  | AuditedHoldExtended
  | AuditedHoldReleased
  | AuditedHoldExpired
  | AuditedPaymentPending
  | AuditedPaymentReferenced
  | AuditedPaymentCaptured
  | AuditedPaymentFailed
  | AuditedPaymentUnknown
  | AuditedPaymentOutcomeUnknown
  | AuditedPaymentDisputed
  | AuditedPaymentDisputeClosed
  | AuditedBookingConfirmed
  | AuditedBookingModified
  | AuditedBookingCancelled
  | AuditedBookingCheckedIn
  | AuditedBookingCheckInUndone
  | AuditedBookingNoShow
  | AuditedBookingCompleted
  | AuditedGuestErased
  | AuditedRefundRequested
  | AuditedRefundSucceeded
  | AuditedRefundFailed
  | AuditedRefundSettledElsewhere
  | AuditedAuthorizationConsumed
  | AuditedAuthorizationReturned
  | AuditedInventoryOversellActionTaken;

/** A booking used an authorization. */
export interface AuditedAuthorizationConsumed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "authorization.consumed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedAuthorizationConsumedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedAuthorizationConsumedData {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** The payment. */
  readonly payment_id: string | null;
}

/** The payment failed; the authorization can be used again. */
export interface AuditedAuthorizationReturned {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "authorization.returned";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedAuthorizationReturnedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedAuthorizationReturnedData {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string;
}

/** A booking was cancelled; its units are on sale again. */
export interface AuditedBookingCancelled {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCancelledData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCancelledData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** The refund. */
  readonly refund_id: string | null;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly receipt: Receipt;
  readonly desk?: DeskDecision | undefined;
  /** The issuer of the traveler's token. */
  readonly iss?: string | undefined;
}

/** A check-in was undone on its day; the booking is confirmed again. */
export interface AuditedBookingCheckInUndone {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.check_in_undone";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCheckInUndoneData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCheckInUndoneData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_in_at: string;
}

/** The guest of a booking has checked in. */
export interface AuditedBookingCheckedIn {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCheckedInData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCheckedInData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
}

/** The guest of a booking has checked out; unused nights are on sale again. */
export interface AuditedBookingCompleted {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingCompletedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingCompletedData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** A booking was confirmed, with its receipt. */
export interface AuditedBookingConfirmed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.confirmed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingConfirmedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingConfirmedData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly receipt: Receipt;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  /** The issuer of the traveler's token. */
  readonly iss: string;
}

/** A booking's stay, room, plan, party or guest was changed. */
export interface AuditedBookingModified {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.modified";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingModifiedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingModifiedData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly before: BookedStay;
  readonly after: BookedStay;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly difference: PriceDifference;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** The refund. */
  readonly refund_id: string | null;
  readonly receipt: ReceiptOrNull;
  /** The guest's data or special requests were changed. */
  readonly guest_changed?: boolean | undefined;
}

/** The guest of a booking did not arrive; future nights are on sale again. */
export interface AuditedBookingNoShow {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "booking.no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedBookingNoShowData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedBookingNoShowData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  /** The booking. */
  readonly booking_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** The refund. */
  readonly refund_id: string | null;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** The guest's data of a booking was erased for good. */
export interface AuditedGuestErased {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "guest.erased";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedGuestErasedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedGuestErasedData {
  /** The booking. */
  readonly booking_id: string;
  /** The property. */
  readonly property_id: string;
  /** Counts the object's changes. */
  readonly version: number;
}

/** Units were held for a short time. */
export interface AuditedHoldCreated {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldCreatedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldCreatedData {
  /** The hold. */
  readonly hold_id: string;
  readonly quote: FrozenTerms;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** A hold expired; its units are on sale again. */
export interface AuditedHoldExpired {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.expired";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldExpiredData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldExpiredData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expired_at: string;
}

/** A hold was extended. */
export interface AuditedHoldExtended {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.extended";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldExtendedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldExtendedData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** Number of extensions. */
  readonly extensions: number;
}

/** A hold was released; its units are on sale again. */
export interface AuditedHoldReleased {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "hold.released";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedHoldReleasedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedHoldReleasedData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
}

/** An operator acted on an oversell incident; it stays open while guests lack a room. */
export interface AuditedInventoryOversellActionTaken {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "inventory.oversell_action_taken";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedInventoryOversellActionTakenData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedInventoryOversellActionTakenData {
  /** The oversell incident. */
  readonly incident_id: string;
  readonly action: IncidentAction;
  /** The booking. */
  readonly booking_id: string | null;
}

/** The payment was captured. */
export interface AuditedPaymentCaptured {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.captured";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentCapturedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentCapturedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** The bank decided a dispute: `won` by the property, or `lost`. */
export interface AuditedPaymentDisputeClosed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.dispute_closed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentDisputeClosedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentDisputeClosedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** What the bank decided. */
  readonly outcome: "won" | "lost";
}

/** The guest's bank disputes the payment: what is not refunded yet is withheld. */
export interface AuditedPaymentDisputed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.disputed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentDisputedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentDisputedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly disputed: number;
  /** The bank's reason, a word of the payment provider. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly due_by: string | null;
}

/** The payment definitively failed. */
export interface AuditedPaymentFailed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentFailedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentFailedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** State of the hold after it. */
  readonly hold_state: "held" | "expired";
}

/** The payment provider gave no definitive answer in time; the hold was released. */
export interface AuditedPaymentOutcomeUnknown {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.outcome_unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentUnknownData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** A payment was started; its hold waits for the result. */
export interface AuditedPaymentPending {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.pending";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentPendingData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentPendingData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment method of the booking. */
  readonly method: string;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  /** The issuer of the traveler's token. */
  readonly iss: string;
}

/** The payment provider registered the payment as `provider_ref`. */
export interface AuditedPaymentReferenced {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.referenced";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentReferencedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentReferencedData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's reference of the payment. */
  readonly provider_ref: string;
}

/** The payment outcome is not known yet; the provider is queried again. */
export interface AuditedPaymentUnknown {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "payment.unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedPaymentUnknownData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedPaymentUnknownData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
}

/** The payment provider declined a refund, or could not complete it after its success. */
export interface AuditedRefundFailed {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundFailedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundFailedData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** The refund had succeeded: its receipt is void, the amount is refundable again. */
  readonly after_success?: boolean | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly amount?: number | undefined;
}

/** A refund was requested. */
export interface AuditedRefundRequested {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundRequestedData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundRequestedData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The property. */
  readonly property_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
}

/** The property gave the money of a failed refund back itself, with its receipt. */
export interface AuditedRefundSettledElsewhere {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.settled_elsewhere";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundSettledElsewhereData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundSettledElsewhereData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly method: OtherMethod;
  readonly receipt: Receipt;
}

/** A refund succeeded, with its receipt. */
export interface AuditedRefundSucceeded {
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  readonly type: "refund.succeeded";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly actor: Actor;
  /** Trace of the call that caused it (W3C). */
  readonly trace_id: string;
  readonly data: AuditedRefundSucceededData;
  /** `hash` of the previous event; null for the first. */
  readonly prev_hash: string | null;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Data of the event, covered by its `hash`. */
export interface AuditedRefundSucceededData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly receipt: Receipt;
}

/** An operator approved an authorization; one booking may use it. */
export interface AuthorizationApprovedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.approved";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationApprovedEventData;
}

/** Data of the event. */
export interface AuthorizationApprovedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: "approved";
}

/** Who approves; travelers cannot in this version. */
export type AuthorizationApprover = "operator";

/** A booking used an authorization. */
export interface AuthorizationConsumedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.consumed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationConsumedEventData;
}

/** Data of the event. */
export interface AuthorizationConsumedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  readonly state: "consumed";
}

/** Which bookings of the tenant need an authorization; agents' own limits apply beside it. */
export interface AuthorizationPolicy {
  readonly required_when: AuthorizationRequiredWhen;
  readonly over: MoneyOrNull;
  readonly approver: AuthorizationApprover;
  /** Seconds until a request and its approval expire. */
  readonly ttl_s: number;
  /** How much dearer than requested a booking may be, hundredths of a percent. */
  readonly tolerance_bps: number;
}

/** The tenant changed which bookings need an authorization. */
export interface AuthorizationPolicyChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization_policy.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationPolicyChangedEventData;
}

/** Data of the event. */
export interface AuthorizationPolicyChangedEventData {
  readonly required_when: AuthorizationRequiredWhen;
  readonly over: MoneyOrNull;
  readonly approver: AuthorizationApprover;
  /** Seconds until a request expires. */
  readonly ttl_s: number;
  /** Allowed excess over the requested total, hundredths of a percent. */
  readonly tolerance_bps: number;
}

/** A booking needs an authorization: an operator must approve it. */
export interface AuthorizationRequestedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationRequestedEventData;
}

/** Data of the event. */
export interface AuthorizationRequestedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly policy: AuthorizationRule;
  readonly threshold: MoneyOrNull;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number | null;
  /** Minor units of the currency (ISO 4217). */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly state: "pending";
}

/**
 * Which bookings need an authorization: none, those above `over`, all, or those whose
 * cancellation right after the booking would refund nothing.
 */
export type AuthorizationRequiredWhen = "never" | "over_amount" | "always" | "non_refundable";

/** The payment failed; the authorization can be used again. */
export interface AuthorizationReturnedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.returned";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationReturnedEventData;
}

/** Data of the event. */
export interface AuthorizationReturnedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string;
  readonly state: "approved";
}

/** An operator revoked an authorization; no booking can use it. */
export interface AuthorizationRevokedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "authorization.revoked";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: AuthorizationRevokedEventData;
}

/** Data of the event. */
export interface AuthorizationRevokedEventData {
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  /** Opaque id. */
  readonly authorization_id: string;
  readonly state: "revoked";
}

/** The rule that requires it: of the agent's limits, or of the tenant's policy. */
export type AuthorizationRule =
  | "max_booking_amount"
  | "over_amount"
  | "always"
  | "non_refundable"
  | null;

/**
 * `pending` until an operator decides; `approved` until one booking uses it (`consumed`) or it
 * expires.
 */
export type AuthorizationState = "pending" | "approved" | "consumed" | "revoked" | "expired";

/** The booking that used it. */
export type AuthorizationUse = {
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
} | null;

/** Units that can be held now, or why none can. */
export interface Availability {
  /** Units that can be held now. */
  readonly sellable: number;
  readonly blocking?: readonly Blocking[] | undefined;
  readonly alternatives?: readonly Alternative[] | undefined;
}

/** A night that cannot be sold, and why. */
export interface Blocking {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Why the night cannot be sold. */
  readonly reason:
    | "no_vacancy"
    | "stop_sell"
    | "cta"
    | "ctd"
    | "min_los"
    | "max_los"
    | "min_stay_through"
    | "max_stay_through"
    | "min_advance"
    | "max_advance"
    | "stay_pattern"
    | "occupancy_exceeded"
    | "children_not_supported"
    | "ceiling_reached"
    | "property_not_live";
  /** Units of the night. */
  readonly capacity?: number | undefined;
  /** Units sold. */
  readonly sold?: number | undefined;
  /** Units held. */
  readonly held?: number | undefined;
  /** Maximum number of sold and held units. */
  readonly ceiling?: number | undefined;
  /** Units sold and held under the ceiling. */
  readonly used?: number | undefined;
  /** The ceiling's unsold units were released. */
  readonly released?: boolean | undefined;
  /** The maximum or minimum. */
  readonly limit?: number | undefined;
  /** Of `stay_pattern`: Y or N per number of nights; the last for longer stays too. */
  readonly pattern?: string | undefined;
}

export interface BookRequest {
  /** text of 1 to 64 characters: data.hold_id of the hold */
  readonly hold_id: string;
  /** text of 1 to 64 characters: data.quote_id of the quote */
  readonly quote_id: string;
  readonly guest: Guest;
  readonly payment: PaymentInput;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests?: string | undefined;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A stay of a booking with its price. */
export interface BookedStay {
  readonly stay: Stay;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
}

/** A confirmed booking. */
export interface Booking {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly payment: Payment;
  readonly traveler: Traveler;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly state: "confirmed";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** The authorization that a booking used. */
export interface BookingApproval {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The operator that approved it. */
  readonly approved_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly approved_at: string;
}

/** The authorization that a booking used. */
export type BookingApprovalOrNull = {
  /** Opaque id. */
  readonly authorization_id: string;
  /** The operator that approved it. */
  readonly approved_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly approved_at: string;
} | null;

/**
 * A person's consent to one booking that a limit or the tenant's policy does not allow by
 * itself.
 */
export interface BookingAuthorization {
  /** Opaque id. */
  readonly authorization_id: string;
  readonly state: AuthorizationState;
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** Of the request; another plan may be booked. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly policy: AuthorizationRule;
  readonly threshold: MoneyOrNull;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number | null;
  /** Highest total of the booking, minor units. */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly requested_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly approved: Decision;
  readonly revoked: Decision;
  readonly used: AuthorizationUse;
  /** Seconds until the next read; null unless `pending`. */
  readonly retry_after: number | null;
}

/** A booking was cancelled; its units are on sale again. */
export interface BookingCancelledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingCancelledEventData;
}

/** Data of the event. */
export interface BookingCancelledEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** The refund. */
  readonly refund_id: string | null;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly receipt: Receipt;
  readonly desk?: DeskDecision | undefined;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "cancelled";
  /** The agent that cancelled it. */
  readonly cancelled_by: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A change of the booking. */
export interface BookingChange {
  /** Counts the object's changes. */
  readonly version: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Type of the event; the audit has its data. */
  readonly type: string;
}

/** A check-in was undone on its day; the booking is confirmed again. */
export interface BookingCheckInUndoneEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.check_in_undone";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingCheckInUndoneEventData;
}

/** Data of the event. */
export interface BookingCheckInUndoneEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_in_at: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "confirmed";
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest of a booking has checked in. */
export interface BookingCheckedInEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingCheckedInEventData;
}

/** Data of the event. */
export interface BookingCheckedInEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_in_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest of a booking has checked out; unused nights are on sale again. */
export interface BookingCompletedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingCompletedEventData;
}

/** Data of the event. */
export interface BookingCompletedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly completed_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A booking was confirmed, with its receipt. */
export interface BookingConfirmedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.confirmed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingConfirmedEventData;
}

/** Data of the event. */
export interface BookingConfirmedEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly receipt: Receipt;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  readonly state: "confirmed";
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A booking with its history, refunds and receipts. */
export interface BookingDetail {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly payment: Payment;
  readonly traveler: Traveler;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly state: BookingState;
  readonly guest: GuestOrNull;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests: string | null;
  readonly authorization: BookingApprovalOrNull;
  readonly history: readonly BookingChange[];
  readonly refunds: readonly Refund[];
  readonly cancellation: CancellationRecord;
  readonly no_show: NoShowRecord;
  readonly receipts: readonly Receipt[];
}

/** A booking's stay, room, plan, party or guest was changed. */
export interface BookingModifiedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.modified";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingModifiedEventData;
}

/** Data of the event. */
export interface BookingModifiedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly before: BookedStay;
  readonly after: BookedStay;
  readonly difference: PriceDifference;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** The refund. */
  readonly refund_id: string | null;
  readonly receipt: ReceiptOrNull;
  /** The guest's data or special requests were changed. */
  readonly guest_changed?: boolean | undefined;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The guest of a booking did not arrive; future nights are on sale again. */
export interface BookingNoShowEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingNoShowEventData;
}

/** Data of the event. */
export interface BookingNoShowEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded_before?: number | undefined;
  /** Why no refund was requested. */
  readonly withheld?: "dispute" | undefined;
  /** The refund. */
  readonly refund_id: string | null;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  readonly state: "no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly no_show_at: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A note of the property about a booking. */
export interface BookingNote {
  /** Opaque id. */
  readonly note_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** The operator that wrote it. */
  readonly author: string;
  /** Null after an erasure, and without the scope `bookings:read`. */
  readonly text: string | null;
}

/** The property wrote a note about a booking; the text is not in the event. */
export interface BookingNoteAddedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "booking.note_added";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: BookingNoteAddedEventData;
}

/** Data of the event. */
export interface BookingNoteAddedEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Opaque id. */
  readonly note_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Complete list. A note of the property about a booking. */
export interface BookingNoteList {
  readonly items: readonly BookingNote[];
}

/** All refunds of a booking, oldest first. */
export interface BookingRefunds {
  readonly items: readonly DeskRefund[];
  readonly money: RefundFigures;
}

/** State of the stay. */
export type BookingState =
  | "confirmed"
  | "checked_in"
  | "completed"
  | "cancelled"
  | "no_show"
  | "relocated";

export interface CancelRequest {
  /** The caller's reason code. */
  readonly reason_code?: string | undefined;
  /** Free text, stored encrypted. */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A cancelled booking and its refund. */
export interface Cancellation {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "cancelled";
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  readonly fee: Money;
  readonly refund: RefundSummary;
  readonly refunded_before?: Money | undefined;
  readonly kept?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
  readonly policy: AppliedPolicy;
  readonly waived_fee?: Money | undefined;
}

/** Fee of `cancel` now, by the booking's terms. */
export interface CancellationCost {
  readonly fee: Money;
  readonly refund: Money;
  /** When the fee changes; null: never. */
  readonly until: string | null;
}

/**
 * `free_until_cutoff`: free of charge up to a time before check-in. `fee_from_booking`: a fee
 * from booking on. `non_refundable`: nothing is refunded.
 */
export type CancellationKind = "free_until_cutoff" | "fee_from_booking" | "non_refundable";

/** Fee and refund of a cancellation at an instant. */
export interface CancellationQuote {
  /** The booking. */
  readonly booking_id: string;
  readonly state: BookingState;
  /** Whether a cancellation would succeed now. */
  readonly is_cancellable: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly fee: Money;
  readonly refund: Money;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly next_cutoff_at: string | null;
  readonly policy: PolicyHash;
}

/** Result of a cancellation. */
export type CancellationRecord = {
  /** RFC 3339, UTC, milliseconds. */
  readonly cancelled_at: string;
  readonly fee: Money;
  readonly refund: RefundOwed;
  /** Which tier of the terms applied, from 0; the number of tiers after the last one. */
  readonly tier_index: number;
  readonly refunded_before?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
  /** The caller's reason code. */
  readonly reason_code: string | null;
  /** The caller's note; of the property, its reason. */
  readonly note: string | null;
  readonly waived_fee?: Money | undefined;
} | null;

/** The fee of a cancellation up to `cutoff_at`. */
export interface CancellationTier {
  /** ISO 8601 duration before the anchor. */
  readonly until: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly cutoff_at: string;
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
}

/**
 * `free_cancellation`: offers that can still be cancelled free of charge; else terms of one
 * kind.
 */
export type CancellationWish =
  | "free_cancellation"
  | "free_until_cutoff"
  | "fee_from_booking"
  | "non_refundable";

/** From which day the ceiling's unsold units cannot be sold; null for never. */
export type CeilingRelease = {
  /** one of none, fixed, rolling */
  readonly strategy: "none" | "fixed" | "rolling";
  /** a date as YYYY-MM-DD */
  readonly at?: string | undefined;
  /** Days before the night, of `rolling`. */
  readonly days_before?: number | undefined;
} | null;

/** The new policy. */
export interface ChangedAuthorizationPolicy {
  readonly required_when: AuthorizationRequiredWhen;
  readonly over: MoneyOrNull;
  readonly approver: AuthorizationApprover;
  /** Seconds until a request and its approval expire. */
  readonly ttl_s: number;
  /** How much dearer than requested a booking may be, hundredths of a percent. */
  readonly tolerance_bps: number;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** A property after a change. */
export interface ChangedProperty {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: PropertyState;
  readonly mode: Mode;
  /** Counts the object's changes. */
  readonly version: number;
  /** Whether anything changed. */
  readonly changed: boolean;
  /** True: nothing was changed; the answer is a preview. */
  readonly dry_run: boolean;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
  /** Result of a promotion: an `error` prevents it, a `warning` does not. */
  readonly warnings: readonly PromotionReason[];
  /**
   * Ready bodies that fix the `warnings`: `patch` for `admin_patch_property`, `ari` for
   * `admin_update_ari`. Values that only the operator knows are placeholders `<description>`.
   */
  readonly mending?: Readonly<Record<string, unknown>> | undefined;
  /** The first oversold nights, by date; absent when none is. */
  readonly oversold?: readonly OversoldNight[] | undefined;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  /** The first oversell incidents that it opened. */
  readonly incident_ids?: readonly string[] | undefined;
  /** Number of all of them. */
  readonly incidents?: number | undefined;
}

/** A booking whose check-in was undone. */
export interface CheckInUndone {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "confirmed";
  /** RFC 3339, UTC, milliseconds. */
  readonly undone_at: string;
}

/** A booking whose guest has checked in. */
export interface CheckedIn {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_in_at: string;
  /** The end of the day at the property, until when it can be undone. */
  readonly undo_until?: string | undefined;
}

/** A page on which a person can book a hold. */
export interface CheckoutSession {
  /** Opaque id. */
  readonly session_id: string;
  /** The hold. */
  readonly hold_id: string;
  readonly state: CheckoutState;
  /** The page. Who has the address can book: give it to the traveler alone. */
  readonly url: string;
  /** The same as `url`. */
  readonly continue_url: string;
  /** Where the page leads back to when it is over. */
  readonly return_url: string | null;
  /** The booking. */
  readonly booking_id: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/**
 * `open`: the person can book or is paying. `completed`: the hold became a booking, on the page
 * or through the API. `expired`: the hold has expired. `cancelled`: the page was taken back, or
 * the hold released.
 */
export type CheckoutState = "open" | "completed" | "expired" | "cancelled";

/** A child by its age at check-in. */
export interface Child {
  /** Full years at check-in. */
  readonly age: number;
}

/** The price of children by age. */
export interface ChildBand {
  /** From this age on, in full years. */
  readonly min_age: number;
  /** Up to this age, in full years. */
  readonly max_age: number;
  /** one of free, percent_bps, fixed_per_night */
  readonly pricing: "free" | "percent_bps" | "fixed_per_night";
  /** Basis points of the night's price, or minor units per night; absent if free. */
  readonly value?: number | undefined;
  /** Whether these children count towards occupancy. */
  readonly counts_toward_occupancy: boolean;
  /** Maximum number of children of the band per room. */
  readonly max_count?: number | undefined;
}

/** A booking whose guest has checked out. */
export interface CompletedStay {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly completed_at: string;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** A link that signs in once. */
export interface ConsoleLink {
  /** Open it in a browser. The part after `#` is the secret of the link. */
  readonly url: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

export interface CreateAgentRequest {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  readonly kind: AgentKind;
  readonly mode?: Mode | undefined;
  /** a list of 0 to 28 different items */
  readonly scopes?: readonly Scope[] | undefined;
  /** a list of 0 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  readonly limits?: AgentLimitsInput | undefined;
  /** Contact of the agent. */
  readonly contact?: string | null | undefined;
  /** a list of 0 to 10 different items */
  readonly return_origins?: readonly string[] | undefined;
  /** True: guests book through it on the hotels' own pages. */
  readonly sells_directly?: boolean | undefined;
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly expires_at?: string | null | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface CreateCheckoutSessionRequest {
  /** text of 1 to 64 characters: data.hold_id of the hold */
  readonly hold_id: string;
  /** an address at an origin of the agent's `return_origins` */
  readonly return_url?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface CreateCredentialRequest {
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly expires_at?: string | null | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface CreateIssuerRequest {
  /** The issuer, as in its tokens. */
  readonly iss: string;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** a list of 1 to 20 different items */
  readonly allowed_audiences?: readonly string[] | undefined;
  /** a list of 1 to 2 different items */
  readonly allowed_algs?: readonly DelegationAlg[] | undefined;
  /** Maximum lifetime of a token in seconds. */
  readonly max_ttl_s?: number | undefined;
  /** Tolerated clock difference in seconds. */
  readonly clock_skew_s?: number | undefined;
  /** Address of its keys; null if `jwks` is set. */
  readonly jwks_url?: string | undefined;
  readonly jwks?: DelegationKeySet | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface CreatePersonRequest {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** an e-mail address */
  readonly email?: string | null | undefined;
  /** a list of 0 to 28 different items */
  readonly scopes: readonly Scope[];
  /** a list of 0 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface CreateWebhookRequest {
  /** an https address of a public host */
  readonly url: string;
  readonly format?: WebhookFormat | undefined;
  /** a list of 1 to 52 different items */
  readonly events?: readonly EventFilter[] | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly description?: string | null | undefined;
  /** a list of 1 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  /** a list of 1 to 100 different items */
  readonly subjects?: readonly string[] | null | undefined;
  /** Sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** a list of 0 to 1 different items */
  readonly scopes?: readonly "bookings:read"[] | undefined;
  /** Maximum concurrent deliveries. */
  readonly max_in_flight?: number | undefined;
  /** Maximum deliveries per second. */
  readonly max_per_s?: number | null | undefined;
  readonly ordering?: WebhookOrdering | undefined;
  readonly ota?: OtaSettingsInput | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** An agent with its first credential. */
export interface CreatedAgent {
  /** The agent. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  readonly kind: AgentKind;
  readonly state: AccessState;
  readonly mode: Mode;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Properties with access; null for all, including future ones. */
  readonly property_ids: readonly string[] | null;
  readonly limits: AgentLimits;
  /** Contact of the agent. */
  readonly contact: string | null;
  readonly daily_summary: DailySummary;
  /** Origins that checkout pages of the agent may lead back to. */
  readonly return_origins: readonly string[];
  /** True: guests book through it on the hotels' own pages. */
  readonly sells_directly: boolean;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_seen_at: string | null;
  /** Counts the object's changes. */
  readonly version: number;
  readonly credential: IssuedCredential;
}

/** Another credential. */
export interface CreatedCredential {
  /** The agent. */
  readonly agent_id: string;
  readonly credential: IssuedCredential;
}

/** A draft; promote it to sell it. */
export interface CreatedProperty {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: "draft";
  readonly mode: Mode;
  /** Counts the object's changes. */
  readonly version: number;
  /** True: nothing was changed; the answer is a preview. */
  readonly dry_run?: boolean | undefined;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
  /** Result of a promotion: an `error` prevents it, a `warning` does not. */
  readonly warnings?: readonly PromotionReason[] | undefined;
  /**
   * Ready bodies that fix the `warnings`: `patch` for `admin_patch_property`, `ari` for
   * `admin_update_ari`. Values that only the operator knows are placeholders `<description>`.
   */
  readonly mending?: Readonly<Record<string, unknown>> | undefined;
}

/** A secret, without the secret. */
export interface Credential {
  /** The credential. */
  readonly credential_id: string;
  /** Prefix of the secret. */
  readonly prefix: string;
  /** The secret's last four characters. */
  readonly last4: string;
  readonly state: CredentialState;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_used_at: string | null;
}

/** An agent has a new credential; the previous one works until `retire_at`. */
export interface CredentialRotatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "credential.rotated";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: CredentialRotatedEventData;
}

/** Data of the event. */
export interface CredentialRotatedEventData {
  /** The agent. */
  readonly agent_id: string;
  /** The credential. */
  readonly credential_id: string;
  /** The replaced credential. */
  readonly previous_credential_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string;
}

/** `retiring`: replaced, and works until `retire_at`. */
export type CredentialState = "active" | "retiring" | "revoked" | "expired";

/** A daily mail to an operator with the key figures of the day before. */
export type DailySummary = {
  /** E-mail address. */
  readonly email: string;
  /** Local time of sending, HH:mm. */
  readonly at: string;
  /** IANA zone. */
  readonly timezone: string;
} | null;

/** Address and time of a mail with the key figures of the day before. */
export type DailySummaryInput = {
  /** an e-mail address */
  readonly email: string;
  /** a local time as HH:mm */
  readonly at: string;
  /** an IANA time zone such as Europe/Madrid */
  readonly timezone: string;
} | null;

/** A booking authorization after an operator's decision. */
export interface DecidedAuthorization {
  /** Opaque id. */
  readonly authorization_id: string;
  readonly state: AuthorizationState;
  /** Minor units of the currency (ISO 4217). */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** An oversell incident after an operator's call. */
export interface DecidedIncident {
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: IncidentState;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The first nights from today on that are oversold, as of now. */
  readonly nights: readonly ExcessNight[];
  /** Number of all of them. */
  readonly oversold_nights: number;
  readonly action?: IncidentAction | undefined;
  /** The booking. */
  readonly booking_id?: string | undefined;
  readonly refund?: IncidentRefund | undefined;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
}

/** Who decided, and when. */
export type Decision = {
  readonly by: Actor;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
} | null;

/** one of RS256, ES256 */
export type DelegationAlg = "RS256" | "ES256";

/** A trusted issuer of travelers' tokens. */
export interface DelegationIssuer {
  /** The issuer. */
  readonly issuer_id: string;
  /** The issuer, as in its tokens. */
  readonly iss: string;
  /** Display name. */
  readonly name: string;
  readonly status: AccessState;
  /** Address of its keys; null if `jwks` is set. */
  readonly jwks_url: string | null;
  /** A JSON Web Key Set. */
  readonly jwks: Readonly<Record<string, unknown>> | null;
  /** Accepted audiences of its tokens (`aud`). */
  readonly allowed_audiences: readonly string[];
  readonly allowed_algs: readonly DelegationAlg[];
  /** Maximum lifetime of a token in seconds. */
  readonly max_ttl_s: number;
  /** Tolerated clock difference in seconds. */
  readonly clock_skew_s: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
}

/** Complete list. A trusted issuer of travelers' tokens. */
export interface DelegationIssuerList {
  readonly items: readonly DelegationIssuer[];
}

/** Tokens of an issuer are accepted again, or no longer. */
export interface DelegationIssuerStatusChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "delegation_issuer.status_changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: DelegationIssuerStatusChangedEventData;
}

/** Data of the event. */
export interface DelegationIssuerStatusChangedEventData {
  /** The issuer. */
  readonly issuer_id: string;
  /** The issuer, as in its tokens. */
  readonly iss: string;
  readonly status: AccessState;
  readonly previous_status: AccessState;
}

/** A public key (RFC 7517); private members are rejected. */
export interface DelegationKey {
  /** one of EC, RSA */
  readonly kty: "EC" | "RSA";
  /** Id of the signing key. */
  readonly kid?: string | undefined;
  /** `sig`, if present. */
  readonly use?: string | undefined;
  /** Algorithm of the key. */
  readonly alg?: string | undefined;
  /** Uses of the key; includes `verify`. */
  readonly key_ops?: readonly string[] | undefined;
  /** Stored and ignored. */
  readonly ext?: boolean | undefined;
  /** The curve. */
  readonly crv?: string | undefined;
  /** First coordinate of an EC key. */
  readonly x?: string | undefined;
  /** Second coordinate of an EC key. */
  readonly y?: string | undefined;
  /** Modulus of an RSA key. */
  readonly n?: string | undefined;
  /** Exponent of an RSA key. */
  readonly e?: string | undefined;
  /** Stored and ignored. */
  readonly x5c?: readonly string[] | undefined;
  /** Stored and ignored. */
  readonly x5t?: string | undefined;
  /** Stored and ignored. */
  readonly "x5t#S256"?: string | undefined;
  /** Stored and ignored. */
  readonly x5u?: string | undefined;
}

/** The issuer's public keys (RFC 7517); instead of `jwks_url`. */
export interface DelegationKeySet {
  readonly keys: readonly DelegationKey[];
}

/** One check of a token. */
export interface DelegationStep {
  /** Name of the check. */
  readonly step: string;
  /** Whether it passed. */
  readonly ok: boolean;
  /** Why it failed. */
  readonly reason?: string | undefined;
  /** The failed claim. */
  readonly claim?: string | undefined;
}

/** The checks of a token. */
export interface DelegationTrace {
  /** The issuer. */
  readonly issuer_id: string;
  /** Whether a call with the token would pass. */
  readonly valid: boolean;
  readonly steps: readonly DelegationStep[];
  /** Claims of the token, without the traveler. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** A draft that was deleted. */
export interface DeletedProperty {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: "deleted";
  readonly mode: Mode;
  /** Counts the object's changes. */
  readonly version: number;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** `dead_lettered`: no attempt succeeded and none is left. */
export type DeliveryState =
  | "pending"
  | "in_flight"
  | "scheduled"
  | "succeeded"
  | "dead_lettered"
  | "cancelled";

/** Why it exists: the event itself, a missed event, or a request by hand. */
export type DeliveryTrigger = "event" | "missing" | "manual" | "recover";

/** Of a derived plan: how its nights follow another plan. */
export interface DerivedPrice {
  /** a UUID in lower case */
  readonly rate_plan_id: string;
  /** Basis points of the followed amount that are added; -1000 is 10 % less. */
  readonly bps?: number | undefined;
  /** Minor units per night that are added, instead of `bps`. */
  readonly amount?: number | undefined;
  /** The result is a multiple of these minor units; 100 are whole euros. */
  readonly round_to: number;
  readonly rounding: Rounding;
  /** Display name of the followed plan. */
  readonly name: string;
}

/** The plan that a rate plan follows, and how. */
export interface DerivedRate {
  /** a UUID in lower case */
  readonly rate_plan_id: string;
  /** Basis points of the followed amount that are added; -1000 is 10 % less. */
  readonly bps?: number | undefined;
  /** Minor units per night that are added, instead of `bps`. */
  readonly amount?: number | undefined;
  /** The result is a multiple of these minor units; 100 are whole euros. */
  readonly round_to: number;
  readonly rounding: Rounding;
}

/** The plan that a rate plan follows, and how. */
export type DerivedRateInput = {
  /** the id or code of another rate plan of the room type */
  readonly rate_plan_id: string;
  /** Basis points of the followed amount that are added; -1000 is 10 % less. */
  readonly bps?: number | undefined;
  /** Minor units per night that are added, instead of `bps`. */
  readonly amount?: number | undefined;
  /** The result is a multiple of these minor units; 100 are whole euros. */
  readonly round_to?: number | undefined;
  readonly rounding?: Rounding | undefined;
} | null;

/** A booking authorization as operators see it. */
export interface DeskAuthorization {
  /** Opaque id. */
  readonly authorization_id: string;
  readonly state: AuthorizationState;
  /** The agent that may book. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** Of the request; another plan may be booked. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly policy: AuthorizationRule;
  readonly threshold: MoneyOrNull;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number | null;
  /** Highest total of the booking, minor units. */
  readonly max_amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly requested_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly approved: Decision;
  readonly revoked: Decision;
  readonly used: AuthorizationUse;
  readonly requested_by: Actor;
  /** Whether only the traveler of the request may use it. */
  readonly is_for_one_traveler: boolean;
  /** The approving operator's note. */
  readonly note: string | null;
}

/** Complete list. A booking authorization as operators see it. */
export interface DeskAuthorizationList {
  readonly items: readonly DeskAuthorization[];
}

/** A booking as the desk needs it. */
export interface DeskBooking {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  readonly state: BookingState;
  /** The property. */
  readonly property_id: string;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly guest: GuestOrNull;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests: string | null;
  /** The guest cannot be read: the data key is damaged. An operator can restore it. */
  readonly guest_damaged?: boolean | undefined;
  readonly total: Money;
  readonly paid: Money;
  readonly due_at_property: Money;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  /** As it is now; null if it is gone. */
  readonly property_name: string | null;
  /** As it is now; null if it is gone. */
  readonly room_type_name: string | null;
  /** As it is now; null if it is gone. */
  readonly rate_plan_name: string | null;
}

/** Complete list. A booking as the desk needs it. */
export interface DeskBookingList {
  readonly items: readonly DeskBooking[];
}

/** Today's date in a time zone. */
export interface DeskDay {
  /** Date in the property's own zone. */
  readonly date: string;
  /** IANA time zone. */
  readonly timezone: string;
  /** Properties there. */
  readonly properties: number;
}

/** Only if the property cancelled: the waived part of the fee. */
export interface DeskDecision {
  /** Minor units of the currency (ISO 4217). */
  readonly waived_fee: number;
}

/** Work that waits for an operator, by its list; null without the scope of the list. */
export interface DeskNeeds {
  /** Booking authorizations that are `pending`. */
  readonly authorizations: number | null;
  /** Oversell incidents that are `open`. */
  readonly incidents: number | null;
  /** Dead letters not replayed or discarded. */
  readonly dead_letters: number | null;
  /** Refunds that are `failed`. */
  readonly refunds_failed: number | null;
  /** Payments without an outcome that are stuck (`is_stuck`). */
  readonly payments_unresolved: number | null;
}

/** A payment and what it waits for. */
export interface DeskPayment {
  /** The payment. */
  readonly payment_id: string;
  readonly state: PaymentState;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded: number;
  /** The property. */
  readonly property_id: string;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  readonly authorization: BookingApprovalOrNull;
  /** Payment method of the booking. */
  readonly method: string;
  /** Reference of the payment provider. */
  readonly provider_ref: string | null;
  /** The provider's own code. */
  readonly provider_code: string | null;
  readonly dispute: Dispute;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
  /** Seconds since its start. */
  readonly age_s: number;
  /** True if it needs attention. */
  readonly is_stuck: boolean;
  /** What it waits for, in words; null if nothing. */
  readonly why: string | null;
  /** Next step, in words. */
  readonly next_step: string | null;
}

/** How the guest pays. */
export interface DeskPaymentInput {
  /** at_property: nothing is paid now; card: with a provider_token */
  readonly method: "at_property" | "card";
  /**
   * The payment provider's token, never a card number. The sandbox provider accepts any text;
   * these tokens simulate results: - `tok_test_ok`: The payment is captured and the booking
   * confirmed, as with any token not named here. - `tok_test_declined`: `402 payment_failed`
   * with `provider_code` `card_declined`. The hold stays: book again with another token and a
   * new key. - `tok_test_insufficient_funds`: `402 payment_failed` with `provider_code`
   * `insufficient_funds`. The hold stays. - `tok_test_provider_error`: `502
   * payment_provider_error`: nothing was charged. The same key starts a new attempt, which fails
   * as well; the hold can be booked with another token and a new key. -
   * `tok_test_timeout_then_captured`: `504 payment_timeout` after 10 seconds, and the capture a
   * second later. The same key then answers `201` with the booking. -
   * `tok_test_timeout_then_failed`: `504 payment_timeout` after 10 seconds, then a decline. The
   * same key then answers `402 payment_failed`. - `tok_test_refund_fails`: The payment is
   * captured; every refund of it fails: a cancellation stands and answers `refund.state`
   * `failed`. - `tok_test_slow_9s`: The payment is captured after 9 seconds, just within the 10
   * of a booking.
   */
  readonly provider_token?: string | undefined;
}

/** Complete list. A payment and what it waits for. */
export interface DeskPaymentList {
  readonly items: readonly DeskPayment[];
}

/** A refund and what it waits for. */
export interface DeskRefund {
  /** The refund. */
  readonly refund_id: string;
  readonly state: RefundState;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
  /** The property. */
  readonly property_id: string;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's own code. */
  readonly provider_code?: string | undefined;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  readonly method?: OtherMethod | undefined;
  /** Opaque id. */
  readonly retried_by?: string | undefined;
  /** The refund failed after its success: its receipt proves nothing. */
  readonly receipt_void?: boolean | undefined;
  /** Null after an erasure. */
  readonly note?: string | null | undefined;
  /** Null after an erasure. */
  readonly settlement_note?: string | null | undefined;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
  /** Seconds since the request. */
  readonly age_s: number;
  /** True if it needs attention. */
  readonly is_stuck: boolean;
  /** What it waits for, in words; null if nothing. */
  readonly why: string | null;
  /** Next step, in words. */
  readonly next_step: string | null;
}

/** Complete list. A refund and what it waits for. */
export interface DeskRefundList {
  readonly items: readonly DeskRefund[];
}

/**
 * The desk's day at a property, or at all of them. `arrivals` are confirmed and begin today or
 * earlier, `in_house` are checked in and end after today, `departures` today or earlier.
 */
export interface DeskToday {
  /** The property. */
  readonly property_id: string | null;
  /** Most properties first. */
  readonly days: readonly DeskDay[];
  readonly arrivals: DueBookings;
  readonly in_house: StayingBookings;
  readonly departures: DueBookings;
  /** Units that can be sold tonight, ignoring restrictions; null without a live property. */
  readonly free_tonight: number | null;
  /** Units sold or held tonight above capacity. */
  readonly oversold_tonight: number;
  readonly needs: DeskNeeds;
}

/** An area by name, or one property. */
export interface Destination {
  /** one of area, property */
  readonly type: "area" | "property";
  /**
   * text: for an area the name of a place (`Munich`, `München`, `Madrid, Spain`, `USA`, `JFK`)
   * or a point as a URI of RFC 5870 (`geo:41.3874,2.1686;u=3000`: within 3,000 metres); for a
   * property its id, slug or name
   */
  readonly value: string;
}

/**
 * What the property does when a changed stay has another price: `refund` the difference, `waive`
 * it (the price stays), or charge it `at_property`.
 */
export type Difference = "refund" | "waive" | "at_property";

/**
 * `gone`: it answered 410. `failing`: no success for too long. `backlog`: paused with more than
 * 50,000 events, or with one older than 14 days.
 */
export type DisabledReason = "operator" | "gone" | "failing" | "backlog" | null;

export interface DiscardWebhookDeliveryRequest {
  /**
   * text of 1 to 200 characters, not blank and without control characters: why it is no longer
   * needed
   */
  readonly reason: string;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A price by stay length and day of the booking. */
export interface Discount {
  /** Code, shown in the price. */
  readonly code: string;
  /** Reason, shown in the price. */
  readonly label: string;
  /** Basis points of a night that are added; -1500 is 15 % less. */
  readonly bps?: number | undefined;
  /** Minor units per night that are added, instead of `bps`. */
  readonly amount?: number | undefined;
  /** First day of the booking, at the property. */
  readonly booked_from?: string | undefined;
  /** Last day of the booking. */
  readonly booked_until?: string | undefined;
  /** Least days from the booking to check-in. */
  readonly min_advance_days?: number | undefined;
  /** Most days from the booking to check-in. */
  readonly max_advance_days?: number | undefined;
  /** For stays of at least this many nights. */
  readonly min_nights?: number | undefined;
  /** For stays of at most this many nights. */
  readonly max_nights?: number | undefined;
  /** First night that is cheaper. */
  readonly stay_from?: string | undefined;
  /** Last night that is cheaper. */
  readonly stay_until?: string | undefined;
  /** Only nights of these weekdays are cheaper. */
  readonly days_of_week?: readonly Weekday[] | undefined;
}

/** The rate in the requested currency; never charged. */
export type DisplayRate = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly base_rate_per_night: number;
  /** Decimal text. */
  readonly fx_rate: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly fx_as_of: string | null;
  readonly source: "admin_table";
} | null;

/** The total in the requested currency; never charged. */
export type DisplayTotal = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Decimal text. */
  readonly fx_rate: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly fx_as_of: string;
  readonly source: "admin_table";
} | null;

/** The last dispute about a payment. */
export type Dispute = {
  /** The payment provider's id. */
  readonly dispute_id: string;
  /** `won`: the property has the money again. */
  readonly state: "open" | "won" | "lost";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** The bank's reason, a word of the payment provider. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly due_by: string | null;
} | null;

/** A booking whose guest is expected, or has to leave. */
export interface DueBooking {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  readonly state: BookingState;
  /** The property. */
  readonly property_id: string;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly guest: GuestOrNull;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests: string | null;
  /** The guest cannot be read: the data key is damaged. An operator can restore it. */
  readonly guest_damaged?: boolean | undefined;
  readonly total: Money;
  readonly paid: Money;
  readonly due_at_property: Money;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  /** As it is now; null if it is gone. */
  readonly property_name: string | null;
  /** As it is now; null if it is gone. */
  readonly room_type_name: string | null;
  /** As it is now; null if it is gone. */
  readonly rate_plan_name: string | null;
  /** Due before today. */
  readonly is_late: boolean;
}

/** Guests who are expected, or have to leave. */
export interface DueBookings {
  /** Number of all, of which `items` has the first. */
  readonly total: number;
  readonly items: readonly DueBooking[];
}

export interface EmptyRequest {
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A booking whose guest's data is erased. */
export interface ErasedGuest {
  /** The booking. */
  readonly booking_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly erased_at: string;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
}

/** Error code; never renamed. */
export type ErrorCode =
  | "validation_failed"
  | "unauthenticated"
  | "delegation_required"
  | "delegation_invalid"
  | "delegation_issuer_unknown"
  | "payment_failed"
  | "forbidden"
  | "resource_access_denied"
  | "principal_kind_not_allowed"
  | "property_not_found"
  | "room_type_not_found"
  | "rate_plan_not_found"
  | "quote_not_found"
  | "hold_not_found"
  | "booking_not_found"
  | "oversell_incident_not_found"
  | "agent_not_found"
  | "credential_not_found"
  | "booking_authorization_not_found"
  | "delegation_issuer_not_found"
  | "webhook_endpoint_not_found"
  | "webhook_delivery_not_found"
  | "conflict"
  | "idempotency_conflict"
  | "allocation_failed"
  | "allotment_exhausted"
  | "oversell_not_detected"
  | "quote_mismatch"
  | "hold_not_active"
  | "booking_not_cancellable"
  | "booking_not_modifiable"
  | "booking_modification_price_change"
  | "authorization_required"
  | "booking_authorization_invalid"
  | "no_capturable_payment"
  | "payment_not_refundable"
  | "refund_exceeds_remaining"
  | "property_not_promotable"
  | "policy_not_found_for_rate_plan"
  | "webhook_delivery_not_replayable"
  | "quote_expired"
  | "hold_expired"
  | "rate_limited"
  | "internal_error"
  | "payment_provider_error"
  | "notification_delivery_failed"
  | "service_not_configured"
  | "upstream_unavailable"
  | "payment_timeout";

/** Ids, states and amounts; each code's page lists its fields. */
export interface ErrorDetail {
  /** With `validation_failed`: all errors. */
  readonly field_errors?: readonly FieldError[] | undefined;
  /** True for a refusal that `Test-Scenario` asked for. */
  readonly simulated?: boolean | undefined;
}

/** A failure; match on `error.code`. */
export interface ErrorEnvelope {
  readonly error: ApiError;
}

/** An event, the same by pull, stream and webhook. */
export type Event =
  | PropertyCreatedEvent
  | PropertyReplacedEvent
  | PropertyDeletedEvent
  | PropertyPromotedEvent
  | PropertySuspendedEvent
  | PropertyArchivedEvent
  | AriChangedEvent
  | FxChangedEvent
  | CredentialRotatedEvent
  | DelegationIssuerStatusChangedEvent
  | WebhookEndpointDisabledEvent
  | WebhookEndpointRecoveredEvent
  | FeedGeneratedEvent
  | FeedFailedEvent
  | PaymentsReconciledEvent
  | HoldCreatedEvent
  | HoldExtendedEvent
  | HoldReleasedEvent
  | HoldExpiredEvent
  | PaymentPendingEvent
  | PaymentReferencedEvent
  | PaymentCapturedEvent
  | PaymentFailedEvent
  | PaymentUnknownEvent
  | PaymentOutcomeUnknownEvent
  | PaymentDisputedEvent
  | PaymentDisputeClosedEvent
  | BookingConfirmedEvent
  | BookingModifiedEvent
  | BookingCancelledEvent
  | BookingCheckedInEvent
  | BookingCheckInUndoneEvent
  | BookingNoShowEvent
  | BookingCompletedEvent
  | BookingNoteAddedEvent
  | GuestErasedEvent
  | RefundRequestedEvent
  | RefundSucceededEvent
  | RefundFailedEvent
  | RefundSettledElsewhereEvent
  | AuthorizationRequestedEvent
  | AuthorizationApprovedEvent
  | AuthorizationRevokedEvent
  | AuthorizationConsumedEvent
  | AuthorizationReturnedEvent
  | AuthorizationPolicyChangedEvent
  | InventoryOversellDetectedEvent
  | InventoryOversellAcknowledgedEvent
  | InventoryOversellActionTakenEvent
  | InventoryOversellResolvedEvent
  | InventoryOversellAcceptedEvent
  | TestClockSetEvent;

/**
 * one of *, property.created, property.replaced, property.deleted, property.promoted,
 * property.suspended, property.archived, ari.changed, fx.changed, credential.rotated,
 * delegation_issuer.status_changed, webhook.endpoint_disabled, webhook.endpoint_recovered,
 * feed.generated, feed.failed, payments.reconciled, hold.created, hold.extended, hold.released,
 * hold.expired, payment.pending, payment.referenced, payment.captured, payment.failed,
 * payment.unknown, payment.outcome_unknown, payment.disputed, payment.dispute_closed,
 * booking.confirmed, booking.modified, booking.cancelled, booking.checked_in,
 * booking.check_in_undone, booking.no_show, booking.completed, booking.note_added, guest.erased,
 * refund.requested, refund.succeeded, refund.failed, refund.settled_elsewhere,
 * authorization.requested, authorization.approved, authorization.revoked,
 * authorization.consumed, authorization.returned, authorization_policy.changed,
 * inventory.oversell_detected, inventory.oversell_acknowledged, inventory.oversell_action_taken,
 * inventory.oversell_resolved, inventory.oversell_accepted, test_clock.set
 */
export type EventFilter =
  | "*"
  | "property.created"
  | "property.replaced"
  | "property.deleted"
  | "property.promoted"
  | "property.suspended"
  | "property.archived"
  | "ari.changed"
  | "fx.changed"
  | "credential.rotated"
  | "delegation_issuer.status_changed"
  | "webhook.endpoint_disabled"
  | "webhook.endpoint_recovered"
  | "feed.generated"
  | "feed.failed"
  | "payments.reconciled"
  | "hold.created"
  | "hold.extended"
  | "hold.released"
  | "hold.expired"
  | "payment.pending"
  | "payment.referenced"
  | "payment.captured"
  | "payment.failed"
  | "payment.unknown"
  | "payment.outcome_unknown"
  | "payment.disputed"
  | "payment.dispute_closed"
  | "booking.confirmed"
  | "booking.modified"
  | "booking.cancelled"
  | "booking.checked_in"
  | "booking.check_in_undone"
  | "booking.no_show"
  | "booking.completed"
  | "booking.note_added"
  | "guest.erased"
  | "refund.requested"
  | "refund.succeeded"
  | "refund.failed"
  | "refund.settled_elsewhere"
  | "authorization.requested"
  | "authorization.approved"
  | "authorization.revoked"
  | "authorization.consumed"
  | "authorization.returned"
  | "authorization_policy.changed"
  | "inventory.oversell_detected"
  | "inventory.oversell_acknowledged"
  | "inventory.oversell_action_taken"
  | "inventory.oversell_resolved"
  | "inventory.oversell_accepted"
  | "test_clock.set";

/** A kind of event. */
export interface EventKind {
  /** The kind, as in an event's `type`. */
  readonly kind: string;
  /** Meaning of the kind. */
  readonly meaning: string;
  readonly subject_type: SubjectType;
  /** JSON Schema of the event. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A recorded event. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Address of the page that explains it. */
  readonly docs_url: string;
}

/** Every kind of event. */
export interface EventKinds {
  readonly items: readonly EventKind[];
}

/** Events in order, without gaps. */
export interface EventPage {
  readonly items: readonly Event[];
  /** All matching events up to this one are included: the next `after_seq`. */
  readonly last_seq: number;
  /** The last event; less than `after_seq` after a restore. */
  readonly head_seq: number;
  /**
   * Id of the history. It changes after a restore from a back-up: events read before may differ,
   * so read again from 0.
   */
  readonly journal_id: string;
}

/** What an event is about. */
export interface EventSubject {
  readonly type: SubjectType;
  /** Opaque id. */
  readonly id: string;
  /** The subject's version after the event. */
  readonly version: number | null;
}

/** A night with more units taken than there are. */
export interface ExcessNight {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units that may be taken. */
  readonly capacity: number;
  /** Units. */
  readonly sold: number;
  /** Units. */
  readonly held: number;
  /** Units taken above `capacity`. */
  readonly excess: number;
}

/** A check, in order of execution. */
export interface ExplainedCheck {
  /** Name of the check. */
  readonly check:
    | "agent"
    | "state"
    | "dates"
    | "policy"
    | "price"
    | "occupancy"
    | "restrictions"
    | "ceilings"
    | "units";
  /** Whether it passed. */
  readonly passed: boolean;
  /** Its result as a sentence. */
  readonly words: string;
  readonly blocking: readonly Blocking[];
}

/** The discount of the stay, which its totals have. */
export type ExplainedDiscount = {
  /** Code. */
  readonly code: string;
  /** Reason, as in the price. */
  readonly label: string;
} | null;

/** A night of the stay. */
export interface ExplainedNight {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units of the night. */
  readonly capacity: number;
  /** Units out of order on the night. */
  readonly out_of_order: number;
  /** Units that may be sold beyond capacity. */
  readonly overbooking_limit: number;
  /** capacity − out_of_order + overbooking_limit. */
  readonly effective: number;
  /** Units sold. */
  readonly sold: number;
  /** Units held. */
  readonly held: number;
  /** Units that could be held, ignoring ceilings. */
  readonly left: number;
  /** Units sold and held beyond effective capacity. */
  readonly oversold: number;
  readonly restrictions: AriRestrictions;
  /** Ceilings that apply to this plan and agent. */
  readonly ceilings: readonly AriCeiling[];
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** Minor units of the currency (ISO 4217). */
  readonly extra_adult: number;
  readonly rate_source: RateSource;
}

/** The price of a quote. */
export type ExplainedPrice = {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly room_subtotal: number;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  readonly discount: ExplainedDiscount;
} | null;

/** A hold with its new `expires_at`. */
export interface ExtendedHold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  readonly state: "held";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** Number of extensions. */
  readonly extensions: number;
}

/** A fee of this stay. */
export interface FeeLine {
  /** Code of the fee. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  readonly basis: TaxBasis;
  /** Basis points, where it is a percentage. */
  readonly rate_bps?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly unit_amount?: number | undefined;
  /** True if the rate already includes it. */
  readonly included_in_rate: boolean;
  readonly collect: TaxCollection;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** Whether it applies to every guest. */
  readonly mandatory: boolean;
}

/** A partner and its feed. */
export interface Feed {
  readonly partner: FeedPartner;
  /** Display name of the partner. */
  readonly title: string;
  /** How the partner uses the documents. */
  readonly about: string;
  /** The longest stay in it. */
  readonly nights_max: number;
  /** The partner has a user and a password. */
  readonly needs_credential: boolean;
  readonly documents: FeedAddresses;
  /** Last request, to the hour; a feed without requests is not rebuilt. */
  readonly asked_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly next_nightly_at: string | null;
  readonly published: PublishedFeed;
  readonly open_run: FeedRunOrNull;
  readonly failed_run: FeedRunOrNull;
  readonly accuracy: FeedAccuracy;
}

/** Itineraries of the document that were quoted again, by result. */
export type FeedAccuracy = {
  /** RFC 3339, UTC, milliseconds. */
  readonly checked_at: string;
  /** The build. */
  readonly run_id: string;
  /** Unchanged itineraries. */
  readonly equal: number;
  /** Itineraries with another price. */
  readonly price_changed: number;
  /** Itineraries that can no longer be held. */
  readonly no_longer_sellable: number;
  /** Itineraries that can be held now and could not before. */
  readonly now_sellable: number;
  readonly alarm: FeedAlarm;
} | null;

/** Addresses for the partner. */
export interface FeedAddresses {
  /** The properties. */
  readonly hotel_list: string;
  /** Prices and availability. */
  readonly ari: string;
  /** Target address of the partner's links. */
  readonly point_of_sale: string;
}

/** `wrong`: prices differ without a change since; `stale`: more than a fifth differs. */
export type FeedAlarm = "wrong" | "stale" | null;

/** A document of prices. */
export interface FeedAri {
  /** Days of arrivals. */
  readonly days: number;
  /**
   * `all_rates`, or the reduction that keeps it below 100 MB: `two_rates_per_room`,
   * `lowest_rate`, `lowest_rate_3` and `lowest_rate_1` (stays of at most 3 nights, or 1).
   */
  readonly step: string;
  /** Itineraries: property, arrival and nights. */
  readonly results: number;
  /** Rooms with a sellable rate. */
  readonly bundles: number;
  /** Size of the plain document. */
  readonly bytes: number;
  /** Size compressed with gzip. */
  readonly gzip_bytes: number;
}

/** A build of a partner feed failed; the previous feed stays published. */
export interface FeedFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "feed.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: FeedFailedEventData;
}

/** Data of the event. */
export interface FeedFailedEventData {
  /** The partner of the feed. */
  readonly partner: string;
  /** The build. */
  readonly run_id: string;
  readonly trigger: FeedTrigger;
  readonly reason: FeedFailure;
  /** Properties in the failed build. */
  readonly listings: number | null;
  /** The published build; null without one. */
  readonly published_run_id: string | null;
}

/**
 * Why it failed: nothing to list; more than a tenth fewer listings than before, which an
 * operator may accept; failed checks; timeout; or an interrupted build.
 */
export type FeedFailure = "no_property" | "shrunken" | "invalid" | "timed_out" | "crashed";

/**
 * Why it failed: nothing to list; more than a tenth fewer listings than before, which an
 * operator may accept; failed checks; timeout; or an interrupted build.
 */
export type FeedFailureOrNull =
  | "no_property"
  | "shrunken"
  | "invalid"
  | "timed_out"
  | "crashed"
  | null;

/** A new build of a partner feed was published. */
export interface FeedGeneratedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "feed.generated";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: FeedGeneratedEventData;
}

/** Data of the event. */
export interface FeedGeneratedEventData {
  /** The partner of the feed. */
  readonly partner: string;
  /** The build. */
  readonly run_id: string;
  readonly trigger: FeedTrigger;
  /** `seq` of the last event in the feed. */
  readonly as_of_seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly as_of: string;
  /** Properties in it. */
  readonly listings: number;
}

/** The document of properties. */
export interface FeedHotelList {
  /** Properties in it. */
  readonly listings: number;
  /** Size of the plain document. */
  readonly bytes: number;
  /** Size compressed with gzip. */
  readonly gzip_bytes: number;
  readonly skipped: FeedSkipped;
}

/** All partners. */
export interface FeedList {
  readonly items: readonly Feed[];
  /** Why there are none. */
  readonly note: string | null;
}

/** The partner of a feed. */
export type FeedPartner = "google" | "bing" | "yandex" | "tripadvisor" | "trivago" | "kayak";

/** One build of a tenant's feed for a partner. */
export interface FeedRun {
  /** The build. */
  readonly run_id: string;
  readonly partner: FeedPartner;
  readonly trigger: FeedTrigger;
  readonly state: FeedRunState;
  /** Published even with far fewer listings. */
  readonly accept_shrink: boolean;
  /** Number of attempts. */
  readonly attempts: number;
  /** Current phase. */
  readonly phase: string | null;
  /** Progress from 0 to 1. */
  readonly progress: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly started_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly ended_at: string | null;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string | null;
  /** Properties in it. */
  readonly listings: number | null;
  readonly reason: FeedFailureOrNull;
  /** The error, in words; null without one. */
  readonly detail: string | null;
}

/** Complete list. One build of a tenant's feed for a partner. */
export interface FeedRunList {
  readonly items: readonly FeedRun[];
}

/** One build of a tenant's feed for a partner. */
export type FeedRunOrNull = {
  /** The build. */
  readonly run_id: string;
  readonly partner: FeedPartner;
  readonly trigger: FeedTrigger;
  readonly state: FeedRunState;
  /** Published even with far fewer listings. */
  readonly accept_shrink: boolean;
  /** Number of attempts. */
  readonly attempts: number;
  /** Current phase. */
  readonly phase: string | null;
  /** Progress from 0 to 1. */
  readonly progress: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly started_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly ended_at: string | null;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string | null;
  /** Properties in it. */
  readonly listings: number | null;
  readonly reason: FeedFailureOrNull;
  /** The error, in words; null without one. */
  readonly detail: string | null;
} | null;

/** `failed`: the previous feed stays published. */
export type FeedRunState = "queued" | "running" | "published" | "failed";

/** Properties that are not listed. */
export interface FeedSkipped {
  /** Number of properties. */
  readonly count: number;
  /** The first of them, with what each lacks. */
  readonly properties: readonly FeedSkippedProperty[];
}

/** A property and what it lacks. */
export interface FeedSkippedProperty {
  /** The property. */
  readonly property_id: string;
  /** Missing facts, in words. */
  readonly reasons: readonly string[];
}

/**
 * Cause: a request without a feed, the nightly build, a missed nightly build, its age, a change
 * of its contents, or an operator.
 */
export type FeedTrigger = "first" | "nightly" | "made_up" | "age" | "change" | "operator";

/** An error in a request. */
export interface FieldError {
  /** JSON pointer in the body, `?name` of a query parameter, or a header's name. */
  readonly path: string;
  /** For people; do not parse it. */
  readonly message: string;
  /** The expected value. */
  readonly expected: string;
}

/** A value that only the caller has. */
export interface FillIn {
  /**
   * JSON pointer in `body_hint` (empty: the whole body), `?name` of a query parameter, or the
   * name of a header to add.
   */
  readonly path: string;
  /** Description of the value. */
  readonly meaning: string;
}

/**
 * A booking of the caller: complete if found by code or hold; in the list of all without guest,
 * payment and history; use `get_booking`.
 */
export interface FoundBooking {
  /** The booking. */
  readonly booking_id: string;
  /** The traveler's code for the desk. */
  readonly confirmation_code: string;
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly payment?: Payment | undefined;
  readonly traveler?: Traveler | undefined;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly state: BookingState;
  readonly guest?: GuestOrNull | undefined;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests?: string | null | undefined;
  readonly authorization?: BookingApprovalOrNull | undefined;
  readonly history?: readonly BookingChange[] | undefined;
  readonly refunds?: readonly Refund[] | undefined;
  readonly cancellation?: CancellationRecord | undefined;
  readonly no_show?: NoShowRecord | undefined;
  readonly receipts?: readonly Receipt[] | undefined;
  readonly total?: Money | undefined;
  /** Path of the booking. */
  readonly href?: string | undefined;
}

/**
 * Complete list. A booking of the caller: complete if found by code or hold; in the list of all
 * without guest, payment and history; use `get_booking`.
 */
export interface FoundBookingList {
  readonly items: readonly FoundBooking[];
}

/** Bookings found by a part of a guest's name. */
export interface FoundGuests {
  readonly items: readonly DeskBooking[];
  /** Bookings whose guest was looked at. */
  readonly searched: number;
  /** Those of them whose guest cannot be read: the data key is damaged. */
  readonly unreadable: number;
  /** Null when all were looked at; else `after` of the same search, for the bookings before. */
  readonly next_after: string | null;
}

/** The quote that was held. */
export interface FrozenTerms {
  /** The quote. */
  readonly quote_id: string;
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown: PriceBreakdown;
  readonly policy_snapshot: PolicySnapshot;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** The tenant's exchange rates were replaced. */
export interface FxChangedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "fx.changed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: FxChangedEventData;
}

/** Data of the event. */
export interface FxChangedEventData {
  /** ISO 4217 code. */
  readonly base: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly as_of: string;
  /** Units of each currency for one of `base`, as decimal text. */
  readonly rates?: Readonly<Record<string, string>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
}

/** Exchange rates for display. */
export interface FxRates {
  /** ISO 4217 code. */
  readonly base: string;
  /** Units of each currency for one of `base`, as decimal text. */
  readonly rates: Readonly<Record<string, string>>;
  /** RFC 3339, UTC, milliseconds. */
  readonly as_of: string;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** Coordinates in degrees (WGS 84). */
export type Geo = {
  /** Latitude, degrees north. */
  readonly lat: number;
  /** Longitude, degrees east. */
  readonly lng: number;
} | null;

/** The guest's data for the hotel. */
export interface Guest {
  readonly primary: PrimaryGuest;
  readonly additional?: readonly AdditionalGuest[] | undefined;
}

/** The guest's data of a booking was erased for good. */
export interface GuestErasedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "guest.erased";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: GuestErasedEventData;
}

/** Data of the event. */
export interface GuestErasedEventData {
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  /** The hold. */
  readonly hold_id: string;
  /** The payment. */
  readonly payment_id: string | null;
  /** The guest's code for the desk. */
  readonly confirmation_code: string;
  /** Members left out because the reader lacks the scope `bookings:read`. */
  readonly omitted?: readonly "guest"[] | undefined;
  /** The guest of the booking; null after an erasure. */
  readonly guest?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface GuestErasure {
  /** the guest's e-mail address, in any case */
  readonly email: string;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A booking of the address. */
export interface GuestErasureItem {
  /** The booking. */
  readonly booking_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly erased_at: string | null;
  readonly error?: ImportError | undefined;
}

/** Complete list. A booking of the address. */
export interface GuestErasureItemList {
  readonly items: readonly GuestErasureItem[];
}

/** The guest's data for the hotel. */
export type GuestOrNull = {
  readonly primary: PrimaryGuest;
  readonly additional?: readonly AdditionalGuest[] | undefined;
} | null;

/** Who stays. */
export interface Guests {
  /** Travelers of 18 years or older. */
  readonly adults: number;
  readonly children?: readonly Child[] | undefined;
}

/** Who stays. */
export type GuestsOrNull = {
  /** Travelers of 18 years or older. */
  readonly adults: number;
  readonly children?: readonly Child[] | undefined;
} | null;

/** A room reserved until `expires_at`. */
export interface Hold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  readonly state: "held";
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** Other live holds of the caller on the same quote, newest first. */
  readonly other_live_holds: readonly string[];
}

/** Units were held for a short time. */
export interface HoldCreatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: HoldCreatedEventData;
}

/** Data of the event. */
export interface HoldCreatedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  readonly state: "held";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** A hold in any state. */
export interface HoldDetail {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  readonly state: HoldState;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly total: Money;
  /** Number of extensions. */
  readonly extensions: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly ended_at: string | null;
  /** The booking. */
  readonly booking_id: string | null;
  readonly payment: HoldPayment;
}

/** A hold expired; its units are on sale again. */
export interface HoldExpiredEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.expired";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: HoldExpiredEventData;
}

/** Data of the event. */
export interface HoldExpiredEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expired_at: string;
  readonly state: "expired";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** A hold was extended. */
export interface HoldExtendedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.extended";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: HoldExtendedEventData;
}

/** Data of the event. */
export interface HoldExtendedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** Number of extensions. */
  readonly extensions: number;
  readonly state: "held";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

/** The current or last payment. */
export type HoldPayment = {
  /** The payment. */
  readonly payment_id: string;
  readonly state: PaymentState;
} | null;

/** A hold was released; its units are on sale again. */
export interface HoldReleasedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "hold.released";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: HoldReleasedEventData;
}

/** Data of the event. */
export interface HoldReleasedEventData {
  /** The hold. */
  readonly hold_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
  readonly state: "released";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The quote. */
  readonly quote_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** SHA-256 of the frozen price. */
  readonly price_hash: string;
  /** SHA-256 of the frozen terms. */
  readonly policy_hash: string;
}

export interface HoldRequest {
  /** text of 1 to 64 characters: data.quote_id of the quote */
  readonly quote_id: string;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** `confirming`: its payment is in progress. `consumed`: it became a booking. */
export type HoldState = "held" | "confirming" | "consumed" | "released" | "expired";

/** Why a line, property or booking was rejected. */
export interface ImportError {
  /** A code of the error catalogue. */
  readonly code: string;
  /** As in an error envelope. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The result of a line: a property or an error. */
export interface ImportLine {
  /** Number of the line, from 1. */
  readonly line: number;
  /** The property. */
  readonly property_id?: string | undefined;
  /** The property's name in URLs. */
  readonly slug?: string | undefined;
  /** `unchanged`: no difference, nothing was written. */
  readonly result?: "created" | "updated" | "unchanged" | undefined;
  /** Result of a promotion: an `error` prevents it, a `warning` does not. */
  readonly warnings?: readonly PromotionReason[] | undefined;
  /** Number of warnings beyond the first 20. */
  readonly more_warnings?: number | undefined;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
  readonly error?: ImportError | undefined;
}

/** The result of each line. */
export interface ImportResult {
  /** True: nothing was changed; the answer is a preview. */
  readonly dry_run?: boolean | undefined;
  /** Imported lines. */
  readonly imported: number;
  /** Rejected lines. */
  readonly failed: number;
  /** New drafts. */
  readonly created: number;
  /** Existing properties that were changed. */
  readonly updated: number;
  /** Existing properties that did not change; nothing was written. */
  readonly unchanged: number;
  /** Imported properties with a warning that prevents promotion. */
  readonly not_promotable: number;
  readonly items: readonly ImportLine[];
}

/**
 * `relocate` and `upgrade` move a booking to another room type at its price, `restore_capacity`
 * sets nights, `cancel_with_refund` cancels a booking and refunds everything, `accept` leaves
 * the nights oversold.
 */
export type IncidentAction =
  | "relocate"
  | "upgrade"
  | "restore_capacity"
  | "cancel_with_refund"
  | "accept";

/** What an operator did about it. */
export interface IncidentActionTaken {
  readonly action: IncidentAction;
  /** The booking. */
  readonly booking_id: string | null;
  readonly by: Actor;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** What opened an incident. */
export type IncidentCause = "availability_update" | "property_change" | "scan";

/** What ended an incident: an operator's action, or what freed the units. */
export type IncidentEnding =
  | "relocate"
  | "upgrade"
  | "restore_capacity"
  | "cancel_with_refund"
  | "accept"
  | "capacity"
  | "cancellation"
  | "no_show"
  | "departure"
  | "modification"
  | "hold_ended"
  | "passed";

/** The refund that was requested. */
export interface IncidentRefund {
  /** The refund. */
  readonly refund_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: "pending";
}

/** How it ended. */
export type IncidentResolution = {
  readonly reason: IncidentEnding;
  readonly by: Actor;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Why an operator accepted it. */
  readonly note: string | null;
} | null;

/**
 * `open` until an operator works on it (`acknowledged`); `resolved` when no night is oversold
 * any more, `dismissed` when an operator accepted it.
 */
export type IncidentState = "open" | "acknowledged" | "resolved" | "dismissed";

/** An operator accepted that these nights are oversold. */
export interface InventoryOversellAcceptedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_accepted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: InventoryOversellAcceptedEventData;
}

/** Data of the event. */
export interface InventoryOversellAcceptedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: "dismissed";
}

/** An operator works on an oversell incident. */
export interface InventoryOversellAcknowledgedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_acknowledged";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: InventoryOversellAcknowledgedEventData;
}

/** Data of the event. */
export interface InventoryOversellAcknowledgedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: "acknowledged";
}

/** An operator acted on an oversell incident; it stays open while guests lack a room. */
export interface InventoryOversellActionTakenEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_action_taken";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: InventoryOversellActionTakenEventData;
}

/** Data of the event. */
export interface InventoryOversellActionTakenEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly action: IncidentAction;
  /** The booking. */
  readonly booking_id: string | null;
}

/** More units are taken on some nights of a room type than there are. */
export interface InventoryOversellDetectedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_detected";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: InventoryOversellDetectedEventData;
}

/** Data of the event. */
export interface InventoryOversellDetectedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly cause: IncidentCause;
  /** The first oversold nights. */
  readonly nights: readonly ExcessNight[];
  readonly state: "open";
}

/** No night of an oversell incident is oversold any more. */
export interface InventoryOversellResolvedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "inventory.oversell_resolved";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: InventoryOversellResolvedEventData;
}

/** Data of the event. */
export interface InventoryOversellResolvedEventData {
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  /** The oversell incident. */
  readonly incident_id: string;
  readonly reason: IncidentEnding;
  readonly state: "resolved";
}

/** A credential with its secret, which is shown once. */
export interface IssuedCredential {
  /** The credential. */
  readonly credential_id: string;
  /** Prefix of the secret. */
  readonly prefix: string;
  /** The secret's last four characters. */
  readonly last4: string;
  readonly state: CredentialState;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_used_at: string | null;
  /** Bearer token or `client_secret`. Null in a replay: it is shown once. */
  readonly secret: string | null;
  /** With a null secret: what to do if it was lost. */
  readonly secret_hint?: string | undefined;
}

/** A place with properties on sale. */
export interface KnownPlace {
  /** Value of a `destination` of type `area`. */
  readonly value: string;
  /** Name as the properties write it. */
  readonly name: string;
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Properties on sale there. */
  readonly properties: number;
  /** Metres from the requested point to the nearest of them. */
  readonly distance_m?: number | undefined;
}

/** A place with properties on sale. */
export type KnownPlaceOrNull = {
  /** Value of a `destination` of type `area`. */
  readonly value: string;
  /** Name as the properties write it. */
  readonly name: string;
  readonly kind: PlaceKind;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Properties on sale there. */
  readonly properties: number;
  /** Metres from the requested point to the nearest of them. */
  readonly distance_m?: number | undefined;
} | null;

/** An agent's activity in the period. */
export interface KpiAgent {
  /** The agent. */
  readonly agent_id: string;
  /** Answered searches; null when `traffic` is. */
  readonly searches: number | null;
  /** Quotes made; null when `traffic` is. */
  readonly quotes: number | null;
  /** Holds made. */
  readonly holds: number;
  /** Bookings made. */
  readonly bookings: number;
}

/** Figures in one currency. */
export interface KpiCurrency {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Rooms sold in this currency. */
  readonly rooms_sold: number;
  /** Minor units, without taxes and fees. */
  readonly room_revenue: number;
  /** Room revenue per room sold, minor units. */
  readonly adr: number | null;
  /**
   * Room revenue per room available, minor units; null if nothing is available, or rooms were
   * sold in several currencies.
   */
  readonly revpar: number | null;
  /** Minor units of the currency (ISO 4217). */
  readonly cancellation_fees: number;
  /** Minor units of the currency (ISO 4217). */
  readonly no_show_fees: number;
  /** Minor units of the currency (ISO 4217). */
  readonly early_departure_revenue: number;
  /** Refunds paid in the period. */
  readonly refunds: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded: number;
}

/** The figures of a period. */
export interface KpiFigures {
  /** Date in the property's own zone. */
  readonly from: string;
  /** Date in the property's own zone. */
  readonly to: string;
  /** Rooms on sale, without out of order. */
  readonly rooms_available: number;
  /** Rooms out of order. */
  readonly rooms_out_of_order: number;
  /** Booked room nights, without no-shows. */
  readonly rooms_sold: number;
  /** Rooms sold ÷ rooms available. Null if there is none. */
  readonly occupancy: number | null;
  readonly by_currency: readonly KpiCurrency[];
  /** Bookings with arrival in the period, in any state. */
  readonly arrivals: number;
  /** Cancelled arrivals. */
  readonly cancelled: number;
  /** Arrivals that did not show up. */
  readonly no_shows: number;
  /** Cancelled ÷ arrivals. Null if there is none. */
  readonly cancellation_rate: number | null;
  /** No-shows ÷ arrivals that were not cancelled. Null if there is none. */
  readonly no_show_rate: number | null;
  /** Average length of stay of the arrivals, in nights. Null if there is none. */
  readonly alos: number | null;
  /** Average days from booking to arrival. Null if there is none. */
  readonly lead_time_days: number | null;
  /** Holds made in the period. */
  readonly holds: number;
  /** Holds that expired in the period. */
  readonly holds_expired: number;
  /** Holds that were released in the period. */
  readonly holds_released: number;
  /** Holds expired ÷ holds ended. Null if there is none. */
  readonly hold_expiry_rate: number | null;
  /** Bookings made in the period. */
  readonly bookings_made: number;
  /** Bookings cancelled in the period. */
  readonly bookings_cancelled: number;
  /** Payments that failed in the period. */
  readonly payments_failed: number;
  /** Payments failed ÷ payments with a definitive outcome. Null if there is none. */
  readonly payment_failure_rate: number | null;
  readonly pickup: KpiPickup;
}

/** The last event counted, and its instant. */
export interface KpiMoment {
  /** Number of the last event counted. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** The last event counted, and its instant. */
export type KpiMomentOrNull = {
  /** Number of the last event counted. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
} | null;

/** Changes since `pickup_since`. */
export type KpiPickup = {
  /** Additional rooms sold; negative if fewer. */
  readonly rooms_sold: number;
  /** Rooms and revenue by currency. */
  readonly by_currency: readonly KpiPickupByCurrency[];
} | null;

export interface KpiPickupByCurrency {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Additional rooms sold in this currency. */
  readonly rooms_sold: number;
  /** Additional room revenue, minor units. */
  readonly room_revenue: number;
}

/** Requests to a route. */
export interface KpiRoute {
  /** Its `operationId`. */
  readonly route: string;
  /** Requests that succeeded. */
  readonly answered: number;
  /** Requests that were refused (4xx). */
  readonly refused: number;
  /** Requests that failed (5xx). */
  readonly failed: number;
  /** Median latency; null: over 5 s. */
  readonly p50_ms: number | null;
  /** 99th percentile of latency; null: over 5 s. */
  readonly p99_ms: number | null;
}

/** Traffic of the whole tenant, by UTC days; ignores `as_of`. */
export type KpiTraffic = {
  /** Counted by every process, per minute. */
  readonly source: "counters";
  /** Routes with requests. */
  readonly routes: readonly KpiRoute[];
  /** Deliveries that succeeded ÷ deliveries that ended. Null if there is none. */
  readonly webhook_success_rate: number | null;
  /** Dead letters not replayed or discarded, now. */
  readonly dead_letters: number;
} | null;

/** Key figures of properties. */
export interface Kpis {
  /** Date in the property's own zone. */
  readonly from: string;
  /** Date in the property's own zone. */
  readonly to: string;
  /** The length of each period. */
  readonly granularity: "day" | "week" | "month" | "total";
  /** Properties with access; null for all, including future ones. */
  readonly property_ids: readonly string[];
  readonly as_of: KpiMoment;
  readonly pickup_since: KpiMomentOrNull;
  readonly items: readonly KpiFigures[];
  readonly total: KpiFigures;
  /** Oversold rooms from today on; null for the past. */
  readonly oversell_open: number | null;
  readonly agents: readonly KpiAgent[];
  readonly traffic: KpiTraffic;
}

/** A landmark near the property. */
export interface Landmark {
  /** Display name. */
  readonly name: string;
  readonly geo?: Geo | undefined;
}

export interface LandmarkInput {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  readonly geo?: Geo | undefined;
}

/**
 * The fee of a cancellation after the last tier, before `cutoff_at` (the anchor). In a quote
 * made after the anchor it is the fee of `no_show`, and `cutoff_at` is null.
 */
export interface LateCancellation {
  /** RFC 3339, UTC, milliseconds. */
  readonly cutoff_at: string | null;
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refund: number;
}

/** A discount or surcharge by length of stay. */
export interface LengthOfStayAdjustment {
  /** Code, shown in the price. */
  readonly code: string;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly label: string;
  /** For stays of at least this many nights. */
  readonly min_nights: number;
  /** Basis points of the night's price: -1000 is ten percent off. */
  readonly bps: number;
}

/** A refund by the property. */
export interface MadeRefund {
  /** The refund. */
  readonly refund_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The payment. */
  readonly payment_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: RefundState;
  readonly reason: RefundReason;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Minor units of the currency (ISO 4217). */
  readonly remaining: number;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  readonly method?: OtherMethod | undefined;
  /** Why it failed, if it did. */
  readonly failure_reason?: string | undefined;
  /** Next step after a failure. */
  readonly next_step?: string | undefined;
}

/** Meals included in the rate. */
export type MealPlan = "room_only" | "breakfast" | "half_board" | "full_board" | "all_inclusive";

/** HTTP method. */
export type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";

/** `live`: real stays and money. `test`: a separate sandbox. */
export type Mode = "live" | "test";

/** A changed booking. */
export interface Modification {
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly difference: PriceDifference;
  /** The booking's state, which is kept. */
  readonly state: "confirmed" | "checked_in";
  /** RFC 3339, UTC, milliseconds. */
  readonly modified_at: string;
  readonly refund: RefundSummary;
  /** Whether the guest's data changed. */
  readonly guest_changed: boolean;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
}

/** A change as it would be made now. */
export interface ModificationQuote {
  /** The booking. */
  readonly booking_id: string;
  /** Counts the object's changes. */
  readonly version: number;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly price_breakdown?: PriceBreakdown | undefined;
  readonly policy_snapshot?: PolicySnapshot | undefined;
  readonly difference: PriceDifference;
  readonly refund: Money;
}

export interface ModificationQuoteRequest {
  readonly stay?: Stay | undefined;
  readonly guests?: Guests | undefined;
  /** text of 1 to 64 characters: the id or code of a room type of the booking's property */
  readonly room_type_id?: string | undefined;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id?: string | undefined;
  readonly difference?: Difference | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface ModificationRequest {
  readonly stay?: Stay | undefined;
  readonly guests?: Guests | undefined;
  /** text of 1 to 64 characters: the id or code of a room type of the booking's property */
  readonly room_type_id?: string | undefined;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id?: string | undefined;
  readonly difference?: Difference | undefined;
  readonly guest?: ModificationRequestGuest | undefined;
  /** Requests to the hotel, not guaranteed. */
  readonly special_requests?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** what changes of the guest */
export interface ModificationRequestGuest {
  readonly primary: ModificationRequestGuestPrimary;
}

/** what changes of the hotel's contact */
export interface ModificationRequestGuestPrimary {
  /**
   * text of 1 to 200 characters, not blank and without control characters: a name as in the
   * passport
   */
  readonly full_name?: string | undefined;
  /** an e-mail address */
  readonly email?: string | undefined;
  /** a phone number of 4 to 32 characters; null removes it */
  readonly phone?: string | null | undefined;
  /** a language tag (BCP 47) such as de or pt-BR */
  readonly language?: string | undefined;
}

/** Whether and until when the booking can be changed. */
export interface ModificationRule {
  /** RFC 3339, UTC, milliseconds. */
  readonly allowed_until: string | null;
  /** Rule for changes. */
  readonly rule: "same_length_same_total" | "none";
}

/** An amount with its currency. */
export interface Money {
  /** Minor units of the currency. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** An amount with its currency. */
export type MoneyOrNull = {
  /** Minor units of the currency. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The time after a move of the test clock. */
export interface MovedTestClock {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** Seconds that test mode is ahead of real time. */
  readonly offset_s: number;
  /** Holds that expired by the move. */
  readonly expired: number;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
}

/** For each constraint the values that find results with all else unchanged; null for none. */
export type NearestConstraints = {
  /** The highest star rating of a property with an offer. */
  readonly min_star_rating: number | null;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[] | null;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: readonly string[] | null;
  readonly meal_plan: readonly MealPlan[] | null;
  readonly cancellation: readonly CancellationKind[] | null;
  /** Best possible refund of a cancellation. */
  readonly refundability: readonly Refundability[] | null;
  readonly max_price_per_night: MoneyOrNull;
} | null;

/** Changes with which the search finds results; each replaces one member. */
export interface NearestSearches {
  /** Nearest first, at most two. */
  readonly stays: readonly Stay[];
  readonly guests: GuestsOrNull;
  readonly constraints: NearestConstraints;
  readonly place: KnownPlaceOrNull;
}

export interface NewProperty {
  /** a UUID in lower case */
  readonly id?: string | undefined;
  /** 1 to 120 lower-case letters, digits and hyphens, not a UUID */
  readonly slug: string;
  /** The operator's code, unique among its properties; imports match by it. */
  readonly external_code?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description?: string | null | undefined;
  /** Official stars, 0 to 7. */
  readonly star_rating?: number | null | undefined;
  readonly address: Address;
  readonly geo?: Geo | undefined;
  /**
   * at most 50 landmarks near the property, with coordinates if known: searches for them find
   * the property
   */
  readonly landmarks?: readonly LandmarkInput[] | undefined;
  /** three uppercase letters, a currency of ISO 4217 */
  readonly default_currency: string;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone: string;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities?: readonly string[] | undefined;
  /** Addresses of pictures. */
  readonly images?: readonly string[] | undefined;
  /** E.164, as `+34911234567`. */
  readonly phone?: string | null | undefined;
  /** E-mail address. */
  readonly email?: string | null | undefined;
  /** Whether pets may stay. */
  readonly pets_allowed?: boolean | undefined;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms?: number | null | undefined;
  /** a local time as HH:mm */
  readonly checkin_time?: string | null | undefined;
  /** a local time as HH:mm */
  readonly checkout_time?: string | null | undefined;
  readonly policies?: readonly PolicyInput[] | undefined;
  readonly tax_rules?: readonly TaxRule[] | undefined;
  readonly child_bands?: readonly ChildBand[] | undefined;
  readonly room_types?: readonly RoomTypeInput[] | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
  /** true: nothing is changed, the answer is a preview */
  readonly dry_run?: boolean | undefined;
}

/** A possible next call. */
export interface NextAction {
  readonly rel: Rel;
  readonly method: Method;
  /** Path of this service. */
  readonly href: string;
  /**
   * Body to send unchanged, including its `idempotency_key`, after `fill_in`; values that only
   * the caller has are placeholders `<description>`.
   */
  readonly body_hint?: Readonly<Record<string, unknown>> | undefined;
  /** Values to fill in; absent if the call is complete. */
  readonly fill_in?: readonly FillIn[] | undefined;
  /**
   * JSON pointers of differences from the caller's request: `/destination`, `/stay/check_in`.
   * Absent without differences. Actions with `changes` come last.
   */
  readonly changes?: readonly string[] | undefined;
  readonly cost?: CancellationCost | undefined;
  /** After this the call is useless. */
  readonly expires_at?: string | undefined;
}

/** The price of one night and its parts. */
export interface NightPrice {
  /** Date in the property's own zone. */
  readonly date: string;
  /** Minor units of the currency (ISO 4217). */
  readonly base: number;
  /** Charge for extra adults. */
  readonly occupancy: number;
  /** Charge for children. */
  readonly children: number;
  readonly adjustments: readonly PriceAdjustment[];
  /** Minor units of the currency (ISO 4217). */
  readonly subtotal: number;
  readonly rate_source: RateSource;
}

/** Why properties have no offer. */
export interface NoResultReason {
  /** The part of the search that excludes them. */
  readonly kind: "place" | "dates" | "rate" | "party" | "units" | "restriction" | "constraint";
  /** Why the best offer failed. */
  readonly reason:
    | "not_on_sale"
    | "dates_past"
    | "beyond_horizon"
    | "no_rate"
    | "party_too_large"
    | "sold_out"
    | "stop_sell"
    | "cta"
    | "ctd"
    | "min_los"
    | "max_los"
    | "min_stay_through"
    | "max_stay_through"
    | "min_advance"
    | "max_advance"
    | "stay_pattern"
    | "ceiling_reached"
    | "min_star_rating"
    | "amenities"
    | "bed_type"
    | "meal_plan"
    | "cancellation"
    | "refundability"
    | "max_price_per_night";
  /** Number of properties with this reason. */
  readonly properties: number;
}

/** Why a search has no results, and changes that find some. */
export type NoResults = {
  /** Properties of the destination that the credential may see. */
  readonly considered: number;
  /** Number of properties counted in the reasons: all, or a sample of 1,000. */
  readonly judged: number;
  /** Each property is counted once; most properties first. */
  readonly reasons: readonly NoResultReason[];
  readonly nearest: NearestSearches;
} | null;

/** A no-show and its refund. */
export interface NoShow {
  /** The booking. */
  readonly booking_id: string;
  readonly state: "no_show";
  /** RFC 3339, UTC, milliseconds. */
  readonly no_show_at: string;
  readonly fee: Money;
  readonly refund: RefundSummary;
  readonly refunded_before?: Money | undefined;
  readonly kept?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
  readonly policy: PolicyHash;
  /** The first night of the stay that is on sale again; null when none is. */
  readonly free_from: string | null;
}

/** Result of a no-show. */
export type NoShowRecord = {
  /** RFC 3339, UTC, milliseconds. */
  readonly no_show_at: string;
  readonly fee: Money;
  readonly refund: RefundOwed;
  readonly refunded_before?: Money | undefined;
  /**
   * Why nothing is refunded although the terms promise it: the guest's bank disputes the
   * payment.
   */
  readonly withheld?: "dispute" | undefined;
} | null;

/** The fee of a cancellation from `anchor` on, or of a no-show. */
export interface NoShowTerms {
  readonly penalty: Penalty;
  /** Minor units of the currency (ISO 4217). */
  readonly fee: number;
}

/** A property that is off sale. */
export interface OffSaleProperty {
  /** The property. */
  readonly property_id: string;
  /** `suspended` can be promoted again, `archived` cannot. */
  readonly state: "suspended" | "archived";
  /** Counts the object's changes. */
  readonly version: number;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number | null;
}

/** The cheapest matching room and rate. */
export interface Offer {
  /** The room type. */
  readonly room_type_id: string;
  /** Display name of the room type. */
  readonly room_type_name: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Display name of the rate plan. */
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  readonly price_per_night: Money;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Total of the stay with taxes and fees, as in its quote. */
  readonly total: number;
  /** Part of the total captured at booking, minor units. */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** Units that can be held; 9 means as many or more. */
  readonly sellable: number;
  readonly cancellation: OfferTerms;
}

/** Cancellation terms of a booking made now. */
export interface OfferTerms {
  readonly refundability: Refundability;
  /** End of free cancellation; null when a fee already applies. */
  readonly free_until: string | null;
}

/** Cancellation terms of a booking made now. */
export interface OfferTermsInWords {
  readonly refundability: Refundability;
  /** End of free cancellation; null when a fee already applies. */
  readonly free_until: string | null;
  /** The terms in words, as in its quote. */
  readonly description: string;
}

/** An active hold. */
export interface OpenHold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** `confirming`: its payment is in progress. */
  readonly state: "held" | "confirming";
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly total: Money;
  /** Number of extensions. */
  readonly extensions: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** The payment. */
  readonly payment_id: string | null;
}

/** Complete list. An active hold. */
export interface OpenHoldList {
  readonly items: readonly OpenHold[];
}

/** `confirming`: its payment is in progress. */
export type OpenHoldState = "held" | "confirming";

/** Settings of messages; null for the format `json`. */
export type OtaSettings = {
  /** The sender's id at the partner. */
  readonly requestor_id: string | null;
} | null;

/** Ids of the hotel and the sender at the receiver of OTA messages. */
export type OtaSettingsInput = {
  /** text of 1 to 64 letters, digits and ._:@/- */
  readonly requestor_id?: string | null | undefined;
} | null;

/** How the property gave the money back itself. */
export type OtherMethod = "bank_transfer" | "card_terminal" | "cash" | "voucher" | "other";

/** Consecutive nights of a room type on which more units are taken than there are. */
export interface OversellIncident {
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: IncidentState;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  readonly cause: IncidentCause;
  /** RFC 3339, UTC, milliseconds. */
  readonly opened_at: string;
  readonly opened_by: Actor;
  /** The first nights from today on that are oversold, as of now. */
  readonly nights: readonly ExcessNight[];
  /** Number of all of them. */
  readonly oversold_nights: number;
  readonly acknowledged: Decision;
  /** What operators did, oldest first. */
  readonly actions: readonly IncidentActionTaken[];
  readonly resolution: IncidentResolution;
}

/** An oversell incident with the bookings on its nights. */
export interface OversellIncidentDetail {
  /** The oversell incident. */
  readonly incident_id: string;
  readonly state: IncidentState;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The first night. */
  readonly from: string;
  /** The day after the last night. */
  readonly until: string;
  readonly cause: IncidentCause;
  /** RFC 3339, UTC, milliseconds. */
  readonly opened_at: string;
  readonly opened_by: Actor;
  /** The first nights from today on that are oversold, as of now. */
  readonly nights: readonly ExcessNight[];
  /** Number of all of them. */
  readonly oversold_nights: number;
  readonly acknowledged: Decision;
  /** What operators did, oldest first. */
  readonly actions: readonly IncidentActionTaken[];
  readonly resolution: IncidentResolution;
  /** The first nights as they were when it was opened. */
  readonly detected: readonly ExcessNight[];
  /** Bookings on the oversold nights, by check-in. */
  readonly affected_bookings: readonly string[];
  /** Number of all of them. */
  readonly affected_booking_count: number;
  /** Bookings that could be moved, best first. */
  readonly candidates: readonly RelocationCandidate[];
}

/**
 * Complete list. Consecutive nights of a room type on which more units are taken than there are.
 */
export interface OversellIncidentList {
  readonly items: readonly OversellIncident[];
}

export interface OversellResolution {
  readonly action: IncidentAction;
  /** text of 1 to 64 characters: the booking that is moved or cancelled */
  readonly booking_id?: string | undefined;
  readonly to?: OversellResolutionTo | undefined;
  /** minor units that a moved guest gets back as goodwill */
  readonly compensation?: number | undefined;
  readonly ari?: AriRanges | undefined;
  /** text of 1 to 500 characters, stored encrypted for the operators */
  readonly note?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** the room type and rate plan of a moved booking */
export interface OversellResolutionTo {
  /** text of 1 to 64 characters: the id or code of another room type of the property */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of its rate plans */
  readonly rate_plan_id: string;
}

export interface OversellScan {
  /** text of 1 to 120 characters: a property's id or slug */
  readonly property_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** a date as YYYY-MM-DD */
  readonly date: string;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** An oversold night. */
export interface OversoldNight {
  /** The room type. */
  readonly room_type_id: string;
  /** Date in the property's own zone. */
  readonly date: string;
  /** Units sold. */
  readonly sold: number;
  /** Units held. */
  readonly held: number;
  /** capacity − out_of_order + overbooking_limit. */
  readonly effective: number;
}

/** An open hold of the caller. */
export interface OwnHold {
  /** The hold. */
  readonly hold_id: string;
  /** The quote. */
  readonly quote_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  readonly stay: Stay;
  readonly state: OpenHoldState;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly guests: Guests;
  readonly total: Money;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Path of the hold; `next_actions` release it. */
  readonly href: string;
}

/** Complete list. An open hold of the caller. */
export interface OwnHoldList {
  readonly items: readonly OwnHold[];
}

/** The past is not ready; repeat the call. */
export interface PastFolding {
  /** The property. */
  readonly property_id: string;
  readonly as_of: KpiMoment;
}

/** Why it is paused; a new endpoint waits for its ping. */
export type PausedReason = "operator" | "ping_pending" | "ping_failed" | null;

/** The payment of a booking. */
export type Payment = {
  /** The payment. */
  readonly payment_id: string;
  readonly state: PaymentState;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded?: number | undefined;
} | null;

/** The payment was captured. */
export interface PaymentCapturedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.captured";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentCapturedEventData;
}

/** Data of the event. */
export interface PaymentCapturedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: "captured";
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The bank decided a dispute: `won` by the property, or `lost`. */
export interface PaymentDisputeClosedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.dispute_closed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentDisputeClosedEventData;
}

/** Data of the event. */
export interface PaymentDisputeClosedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** What the bank decided. */
  readonly outcome: "won" | "lost";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The guest's bank disputes the payment: what is not refunded yet is withheld. */
export interface PaymentDisputedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.disputed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentDisputedEventData;
}

/** Data of the event. */
export interface PaymentDisputedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's id. */
  readonly dispute_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly disputed: number;
  /** The bank's reason, a word of the payment provider. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly due_by: string | null;
  readonly state: "disputed";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment definitively failed. */
export interface PaymentFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentFailedEventData;
}

/** Data of the event. */
export interface PaymentFailedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** State of the hold after it. */
  readonly hold_state: "held" | "expired";
  readonly state: "failed";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment. */
export interface PaymentInput {
  /** text of 1 to 40 characters: how it is paid, such as card */
  readonly method: string;
  /**
   * The payment provider's token, never a card number. The sandbox provider accepts any text;
   * these tokens simulate results: - `tok_test_ok`: The payment is captured and the booking
   * confirmed, as with any token not named here. - `tok_test_declined`: `402 payment_failed`
   * with `provider_code` `card_declined`. The hold stays: book again with another token and a
   * new key. - `tok_test_insufficient_funds`: `402 payment_failed` with `provider_code`
   * `insufficient_funds`. The hold stays. - `tok_test_provider_error`: `502
   * payment_provider_error`: nothing was charged. The same key starts a new attempt, which fails
   * as well; the hold can be booked with another token and a new key. -
   * `tok_test_timeout_then_captured`: `504 payment_timeout` after 10 seconds, and the capture a
   * second later. The same key then answers `201` with the booking. -
   * `tok_test_timeout_then_failed`: `504 payment_timeout` after 10 seconds, then a decline. The
   * same key then answers `402 payment_failed`. - `tok_test_refund_fails`: The payment is
   * captured; every refund of it fails: a cancellation stands and answers `refund.state`
   * `failed`. - `tok_test_slow_9s`: The payment is captured after 9 seconds, just within the 10
   * of a booking.
   */
  readonly provider_token: string;
  /** two letters (ISO 3166-1) */
  readonly billing_country?: string | undefined;
}

/** The payment provider gave no definitive answer in time; the hold was released. */
export interface PaymentOutcomeUnknownEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.outcome_unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentUnknownEventData;
}

/** A payment was started; its hold waits for the result. */
export interface PaymentPendingEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.pending";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentPendingEventData;
}

/** Data of the event. */
export interface PaymentPendingEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The booking. */
  readonly booking_id: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Payment method of the booking. */
  readonly method: string;
  /** Id of the delegation token. */
  readonly jti?: string | null | undefined;
  readonly authorization?: BookingApproval | undefined;
  readonly state: "pending";
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** The payment provider registered the payment as `provider_ref`. */
export interface PaymentReferencedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.referenced";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentReferencedEventData;
}

/** Data of the event. */
export interface PaymentReferencedEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  /** The provider's reference of the payment. */
  readonly provider_ref: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/** `unknown`: no definitive answer of the payment provider yet. */
export type PaymentState =
  | "pending"
  | "authorized"
  | "captured"
  | "partially_refunded"
  | "refunded"
  | "failed"
  | "voided"
  | "unknown"
  | "disputed";

/** The payment outcome is not known yet; the provider is queried again. */
export interface PaymentUnknownEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payment.unknown";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentUnknownEventData;
}

/** Data of the event. */
export interface PaymentUnknownEventData {
  /** The payment. */
  readonly payment_id: string;
  /** The hold. */
  readonly hold_id: string;
  readonly state: "unknown";
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of the payment attempt for the hold, from 1. */
  readonly attempt: number;
  /** The agent that owns it. */
  readonly agent_id: string;
  /** The property. */
  readonly property_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
}

/**
 * The provider's charges were compared with the journal, daily or after a restore: orphans are
 * charges missing in the journal, differences are payments with another state at the provider,
 * or `missing` there.
 */
export interface PaymentsReconciledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "payments.reconciled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PaymentsReconciledEventData;
}

/** Data of the event. */
export interface PaymentsReconciledEventData {
  readonly orphan_totals: readonly PaymentsReconciledEventDataOrphanTotal[];
  readonly orphans: readonly PaymentsReconciledEventDataOrphan[];
  /** Number of differences. */
  readonly difference_count: number;
  readonly differences: readonly PaymentsReconciledEventDataDifference[];
}

/** A charge whose state differs between provider and journal. */
export interface PaymentsReconciledEventDataDifference {
  /** The payment. */
  readonly payment_id: string;
  /** `amount`, `currency`, `state` and `refunded`. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** `amount`, `currency`, `state` and `refunded`. */
  readonly journal: Readonly<Record<string, unknown>>;
}

/** A charge missing in the journal. */
export interface PaymentsReconciledEventDataOrphan {
  /** The payment. */
  readonly payment_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** State of the charge. */
  readonly state: string;
}

/** Total of missing charges in one currency and state. */
export interface PaymentsReconciledEventDataOrphanTotal {
  /** State of the charges. */
  readonly state: "open" | "standing" | "refunded" | "void";
  /** ISO 4217 code. */
  readonly currency: string;
  /** Number of charges. */
  readonly charges: number;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/** The retained part of the prepaid amount. */
export interface Penalty {
  /** Whether a fee is kept. */
  readonly kind: "none" | "percentage";
  /** Basis points of the prepaid amount. */
  readonly bps?: number | undefined;
}

/** Who works at the console for an operator. */
export interface Person {
  /** Opaque id. */
  readonly person_id: string;
  /** The operator. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  /** E-mail address. */
  readonly email: string | null;
  readonly state: AccessState;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** Properties with access; null for all, including future ones. */
  readonly property_ids: readonly string[] | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
}

/** A link that signs a person in once. */
export interface PersonLink {
  /** Opaque id. */
  readonly person_id: string;
  /** For the person alone. The part after `#` is the secret of the link. */
  readonly url: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** Complete list. Who works at the console for an operator. */
export interface PersonList {
  readonly items: readonly Person[];
}

/** Kind of place. */
export type PlaceKind = "city" | "region" | "country" | "district" | "landmark";

/** Places where properties are on sale. */
export interface PlaceList {
  readonly items: readonly KnownPlace[];
}

/** Cancellation terms; a quote freezes them. */
export interface Policy {
  /** The highest version of a kind applies; text. */
  readonly version: string;
  readonly cancellation_kind: CancellationKind;
  /** Hours before check-in until which cancelling is free. */
  readonly free_cancellation_hours_before_checkin: number;
  /** Percent of the prepaid total kept after that. */
  readonly cancellation_fee_pct_after_cutoff: number;
  /** Information for parents, in words. */
  readonly child_policy_text: string | null;
}

/** Hash of the frozen terms. */
export interface PolicyHash {
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** Cancellation terms, or another policy for guests. */
export interface PolicyInput {
  /** The highest version of a kind applies; text. */
  readonly version: string;
  readonly cancellation_kind: CancellationKind;
  /** Hours before check-in until which cancelling is free. */
  readonly free_cancellation_hours_before_checkin: number;
  /** Percent of the prepaid total kept after that. */
  readonly cancellation_fee_pct_after_cutoff: number;
  /** Information for parents, in words. */
  readonly child_policy_text?: string | null | undefined;
  /** Percent of the prepaid total kept for a no-show. */
  readonly no_show_fee_pct?: number | undefined;
}

/**
 * Cancellation terms frozen with the quote. Of `tiers` and then `after_last_tier`, the first row
 * whose `cutoff_at` is in the future applies; from `anchor` on, `no_show` applies.
 */
export interface PolicySnapshot {
  /** The frozen version. */
  readonly policy_version: string;
  readonly cancellation_kind: CancellationKind;
  readonly refundability: Refundability;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone: string;
  /** Check-in with its local offset. */
  readonly anchor: string;
  readonly tiers: readonly CancellationTier[];
  readonly after_last_tier: LateCancellation;
  readonly no_show: NoShowTerms;
  readonly fee_basis: "prepaid_total";
  readonly modification: ModificationRule;
  /** Information for parents, in words. */
  readonly child_policy_text: string | null;
  /** The terms in a sentence for the traveler. */
  readonly description: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly captured_at: string;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
}

/** A discount or surcharge by the stay or its booking. */
export interface PriceAdjustment {
  /** Code. */
  readonly code: string;
  /** Text on the guest's bill. */
  readonly label: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/**
 * `room_subtotal` + taxes and fees that are not included = `total` = `due_now` +
 * `due_at_property`.
 */
export interface PriceBreakdown {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Decimal places of the currency. */
  readonly minor_unit: number;
  readonly nights: readonly NightPrice[];
  /** Minor units of the currency (ISO 4217). */
  readonly room_subtotal: number;
  readonly taxes: readonly TaxLine[];
  readonly fees: readonly FeeLine[];
  /** Minor units of the currency (ISO 4217). */
  readonly total: number;
  /** Captured at booking, minor units. */
  readonly due_now: number;
  /** Empty today. */
  readonly due_later: readonly Readonly<Record<string, unknown>>[];
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** What the property has added to the total, or taken off, in a modification; minor units. */
  readonly adjustment?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly per_night_average: number;
  readonly rounding: "half_up_per_line";
  readonly derived_from?: DerivedPrice | undefined;
  /** SHA-256 of the canonical form (RFC 8785). */
  readonly hash: string;
  readonly display?: DisplayTotal | undefined;
}

/** Another price, and what is done. */
export type PriceDifference = {
  readonly kind: Difference;
  /** The new price less the former one, minor units. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The hotel's contact. */
export interface PrimaryGuest {
  /**
   * text of 1 to 200 characters, not blank and without control characters: a name as in the
   * passport
   */
  readonly full_name: string;
  /** an e-mail address */
  readonly email: string;
  /** E.164, as `+34911234567`. */
  readonly phone?: string | undefined;
  /**
   * Language of mails to the guest (BCP 47): `en`, `de`, `es`, `fr`, `it` or `pt`, with or
   * without a region; English for others and by default.
   */
  readonly language?: string | undefined;
}

/** A property that is on sale, or could be promoted. */
export interface Promotion {
  /** The property. */
  readonly property_id: string;
  readonly state: PropertyState;
  /** True: nothing was changed. */
  readonly dry_run: boolean;
  /** Counts the object's changes. */
  readonly version: number;
  readonly warnings: readonly PromotionReason[];
  /** Number of the event, dense per tenant and mode. */
  readonly seq?: number | null | undefined;
}

/** A property that is on sale, or why it is not. */
export interface PromotionItem {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: PropertyState;
  /** Counts the object's changes. */
  readonly version?: number | undefined;
  /** Result of a promotion: an `error` prevents it, a `warning` does not. */
  readonly warnings?: readonly PromotionReason[] | undefined;
  readonly error?: ImportError | undefined;
}

/** A reason that prevents going live, or a warning. */
export interface PromotionReason {
  /** Code of the reason. */
  readonly code: string;
  /** JSON pointer in the property; line and column in a table. */
  readonly path: string;
  /** An `error` prevents promotion, a `warning` does not. */
  readonly severity: "error" | "warning";
  /** For people; do not parse it. */
  readonly message: string;
}

/** The result of each property. */
export interface Promotions {
  /** True: nothing is changed, the answer is a preview. */
  readonly dry_run: boolean;
  /** Properties now on sale, or that would be. */
  readonly promoted: number;
  /** Rejected lines. */
  readonly failed: number;
  readonly items: readonly PromotionItem[];
}

/** A property was archived; its bookings stay valid. */
export interface PropertyArchivedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.archived";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A property was created as a draft. */
export interface PropertyCreatedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.created";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyCreatedEventData;
}

/** Data of the event. */
export interface PropertyCreatedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Number of room types. */
  readonly room_type_count: number;
  /** Number of rate plans. */
  readonly rate_plan_count: number;
  /** The property with its room types and plans. */
  readonly tree?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
  readonly state: "draft";
}

/** A draft was deleted; its slug is free again. */
export interface PropertyDeletedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.deleted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyDeletedEventData;
}

/** Data of the event. */
export interface PropertyDeletedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  readonly state: "deleted";
  /** Counts the object's changes. */
  readonly version: number;
}

/** A property with room types and rate plans; with `?full=true` all fields of `PropertyFullOut`. */
export interface PropertyDetailOut {
  /** Opaque id. */
  readonly id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: Address;
  readonly geo: Geo;
  /** ISO 4217 code. */
  readonly default_currency: string;
  /** IANA zone. */
  readonly timezone: string;
  readonly room_types: readonly RoomType[];
  /** Codes such as `wifi` or `parking`. */
  readonly amenities?: readonly string[] | undefined;
  /** Addresses of pictures. */
  readonly images?: readonly string[] | undefined;
  /** E.164. */
  readonly phone?: string | null | undefined;
  /** The property's internal address, not for guests. */
  readonly email?: string | null | undefined;
  /** Whether pets may stay. */
  readonly pets_allowed?: boolean | undefined;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms?: number | null | undefined;
  /** Local `HH:mm`. */
  readonly checkin_time?: string | null | undefined;
  /** Local `HH:mm`. */
  readonly checkout_time?: string | null | undefined;
  readonly policies?: readonly Policy[] | undefined;
}

/** A property with all published facts. */
export interface PropertyFullOut {
  /** Opaque id. */
  readonly id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: Address;
  readonly geo: Geo;
  /** ISO 4217 code. */
  readonly default_currency: string;
  /** IANA zone. */
  readonly timezone: string;
  readonly room_types: readonly RoomType[];
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[];
  /** Addresses of pictures. */
  readonly images: readonly string[];
  /** E.164. */
  readonly phone: string | null;
  /** The property's internal address, not for guests. */
  readonly email: string | null;
  /** Whether pets may stay. */
  readonly pets_allowed: boolean;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms: number | null;
  /** Local `HH:mm`. */
  readonly checkin_time: string | null;
  /** Local `HH:mm`. */
  readonly checkout_time: string | null;
  readonly policies: readonly Policy[];
}

/** A room type and rate plan for the stay. */
export interface PropertyOffer {
  /** The room type. */
  readonly room_type_id: string;
  /** Display name of the room type. */
  readonly room_type_name: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Display name of the rate plan. */
  readonly rate_plan_name: string;
  readonly meal_plan: MealPlan;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  readonly price_per_night: Money;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Total of the stay with taxes and fees, as in its quote. */
  readonly total: number;
  /** Part of the total captured at booking, minor units. */
  readonly due_now: number;
  /** Minor units of the currency (ISO 4217). */
  readonly due_at_property: number;
  /** Units that can be held now. */
  readonly sellable: number;
  readonly cancellation: OfferTermsInWords;
  readonly quote: QuoteRequestOrNull;
  readonly display: DisplayTotal;
  /** Why it cannot be held; empty when it can. */
  readonly blocking: readonly Blocking[];
  /** The same offer on the nearest sellable dates. */
  readonly alternatives: readonly Alternative[];
}

/** All offers of a property for a stay: sellable ones first, cheapest first, then the others. */
export interface PropertyOffers {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly items: readonly PropertyOffer[];
}

/** A property in a list. */
export interface PropertyOut {
  /** Opaque id. */
  readonly id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: Address;
  readonly geo: Geo;
  /** ISO 4217 code. */
  readonly default_currency: string;
  /** IANA zone. */
  readonly timezone: string;
}

/** Complete list. A property in a list. */
export interface PropertyOutList {
  readonly items: readonly PropertyOut[];
}

export interface PropertyPatch {
  /** a UUID in lower case */
  readonly id?: string | null | undefined;
  /** 1 to 120 lower-case letters, digits and hyphens, not a UUID */
  readonly slug?: string | null | undefined;
  /** The operator's code, unique among its properties; imports match by it. */
  readonly external_code?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name?: string | null | undefined;
  /** In a few sentences, for travelers. */
  readonly description?: string | null | undefined;
  /** Official stars, 0 to 7. */
  readonly star_rating?: number | null | undefined;
  readonly address?: PropertyPatchAddress | undefined;
  readonly geo?: Geo | undefined;
  /**
   * at most 50 landmarks near the property, with coordinates if known: searches for them find
   * the property
   */
  readonly landmarks?: readonly LandmarkInput[] | null | undefined;
  /** three uppercase letters, a currency of ISO 4217 */
  readonly default_currency?: string | null | undefined;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone?: string | null | undefined;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities?: readonly string[] | null | undefined;
  /** Addresses of pictures. */
  readonly images?: readonly string[] | null | undefined;
  /** E.164, as `+34911234567`. */
  readonly phone?: string | null | undefined;
  /** E-mail address. */
  readonly email?: string | null | undefined;
  /** Whether pets may stay. */
  readonly pets_allowed?: boolean | null | undefined;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms?: number | null | undefined;
  /** a local time as HH:mm */
  readonly checkin_time?: string | null | undefined;
  /** a local time as HH:mm */
  readonly checkout_time?: string | null | undefined;
  readonly policies?: readonly PolicyInput[] | null | undefined;
  readonly tax_rules?: readonly TaxRule[] | null | undefined;
  readonly child_bands?: readonly ChildBand[] | null | undefined;
  readonly room_types?: readonly RoomTypeInput[] | null | undefined;
  /** true: nothing is changed, the answer is a preview */
  readonly dry_run?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** Changes of the address. */
export type PropertyPatchAddress = {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly line1?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly line2?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly city?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly region?: string | null | undefined;
  /** two uppercase letters (ISO 3166-1) */
  readonly country?: string | null | undefined;
  /** Postal code. */
  readonly postal_code?: string | null | undefined;
} | null;

/** A property changed its state; only `live` is on sale. */
export interface PropertyPromotedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.promoted";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A property was changed: its tree was replaced. */
export interface PropertyReplacedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.replaced";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyReplacedEventData;
}

/** Data of the event. */
export interface PropertyReplacedEventData {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Number of room types. */
  readonly room_type_count: number;
  /** Number of rate plans. */
  readonly rate_plan_count: number;
  /** The property with its room types and plans. */
  readonly tree?: Readonly<Record<string, unknown>> | undefined;
  /** The full data would be too large. */
  readonly truncated?: boolean | undefined;
  /** Where to read the full data, if it exists. */
  readonly read?: string | null | undefined;
  /** Counts the object's changes. */
  readonly version: number;
  /** Total number of oversold nights. */
  readonly oversold_nights?: number | undefined;
}

export interface PropertyReplacement {
  /** a UUID in lower case */
  readonly id?: string | undefined;
  /** 1 to 120 lower-case letters, digits and hyphens, not a UUID */
  readonly slug: string;
  /** The operator's code, unique among its properties; imports match by it. */
  readonly external_code?: string | null | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description?: string | null | undefined;
  /** Official stars, 0 to 7. */
  readonly star_rating?: number | null | undefined;
  readonly address: Address;
  readonly geo?: Geo | undefined;
  /**
   * at most 50 landmarks near the property, with coordinates if known: searches for them find
   * the property
   */
  readonly landmarks?: readonly LandmarkInput[] | undefined;
  /** three uppercase letters, a currency of ISO 4217 */
  readonly default_currency: string;
  /** IANA zone, such as `Europe/Madrid`, of the property's dates and times. */
  readonly timezone: string;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities?: readonly string[] | undefined;
  /** Addresses of pictures. */
  readonly images?: readonly string[] | undefined;
  /** E.164, as `+34911234567`. */
  readonly phone?: string | null | undefined;
  /** E-mail address. */
  readonly email?: string | null | undefined;
  /** Whether pets may stay. */
  readonly pets_allowed?: boolean | undefined;
  /** Rooms in the property, including those not sold here. */
  readonly number_of_rooms?: number | null | undefined;
  /** a local time as HH:mm */
  readonly checkin_time?: string | null | undefined;
  /** a local time as HH:mm */
  readonly checkout_time?: string | null | undefined;
  readonly policies?: readonly PolicyInput[] | undefined;
  readonly tax_rules?: readonly TaxRule[] | undefined;
  readonly child_bands?: readonly ChildBand[] | undefined;
  readonly room_types?: readonly RoomTypeInput[] | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
  /** true: nothing is changed, the answer is a preview */
  readonly dry_run?: boolean | undefined;
  readonly state?: PropertyState | undefined;
  /** one of live, test */
  readonly mode?: "live" | "test" | undefined;
  /** The version to change, as in `If-Match`; any by default. */
  readonly version?: number | undefined;
}

/** Only `live` is on sale. */
export type PropertyState = "draft" | "live" | "suspended" | "archived";

/** Data of the event. */
export interface PropertyStateEventData {
  /** The property. */
  readonly property_id: string;
  readonly state: PropertyState;
  /** Counts the object's changes. */
  readonly version: number;
}

/** A property of the tenant, in any state. */
export interface PropertySummary {
  /** The property. */
  readonly property_id: string;
  /** The property's name in URLs. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  readonly state: PropertyState;
  readonly mode: Mode;
  /** Counts the object's changes. */
  readonly version: number;
}

/** Complete list. A property of the tenant, in any state. */
export interface PropertySummaryList {
  readonly items: readonly PropertySummary[];
}

/** A property was taken off sale; a promotion puts it back. */
export interface PropertySuspendedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "property.suspended";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: PropertyStateEventData;
}

/** A signature that the published keys verify. */
export interface PublicSignature {
  readonly alg: "ES256";
  /** Id of a key in `/.well-known/jwks.json`. */
  readonly kid: string;
  /** r and s, 64 bytes, base64url. */
  readonly signature: string;
}

/** The published feed. */
export type PublishedFeed = {
  /** The build. */
  readonly run_id: string;
  /** Number of the tenant's last event in it. */
  readonly seq: number;
  /** Time of that position. */
  readonly at: string;
  /** Seconds since it was built. */
  readonly age_s: number;
  readonly hotel_list: FeedHotelList;
  /** Of 30 days and of all days. */
  readonly ari: readonly FeedAri[];
} | null;

/** Price and terms, frozen until `expires_at`. */
export interface Quote {
  /** The quote. */
  readonly quote_id: string;
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly price_breakdown: PriceBreakdown;
  readonly policy_snapshot: PolicySnapshot;
  readonly availability: Availability;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string;
}

/** A stay to price. */
export interface QuoteRequest {
  /** text of 1 to 120 characters: a property's id or slug */
  readonly hotel_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A stay to price. */
export type QuoteRequestOrNull = {
  /** text of 1 to 120 characters: a property's id or slug */
  readonly hotel_id: string;
  /** text of 1 to 64 characters: the id or code of one of its room types */
  readonly room_type_id: string;
  /** text of 1 to 64 characters: the id or code of one of the room type's rate plans */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** text of 1 to 64 characters: an approved booking authorization */
  readonly authorization_id?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
} | null;

/** A price for a room type, with its terms. */
export interface RatePlan {
  /** Opaque id. */
  readonly id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Minor units of the currency (ISO 4217). */
  readonly base_rate_per_night: number;
  readonly meal_plan: MealPlan;
  readonly cancellation_kind: CancellationKind;
  readonly display?: DisplayRate | undefined;
}

/** A rate of the room: price, meals and terms. */
export interface RatePlanInput {
  /** a UUID in lower case */
  readonly id?: string | undefined;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** three uppercase letters, a currency of ISO 4217 */
  readonly currency: string;
  /** Price of a night without a value by date, minor units; computed for a derived plan. */
  readonly base_rate_per_night: number;
  readonly derived_from?: DerivedRateInput | undefined;
  readonly meal_plan: MealPlan;
  readonly cancellation_kind: CancellationKind;
  /** Price of each adult beyond those the rate covers, minor units. */
  readonly extra_adult_per_night?: number | undefined;
  readonly adjustments?: readonly LengthOfStayAdjustment[] | undefined;
  readonly discounts?: readonly Discount[] | undefined;
}

/** Whether the price is set by date or by the plan, or follows another plan. */
export type RateSource = "date_override" | "base" | "derived";

/** Signed proof of a change; see `verify_receipt`. */
export interface Receipt {
  readonly kind: ReceiptKind;
  /** Address of the signing service. */
  readonly issuer: string;
  /** RFC 3339, UTC, milliseconds; signed as text: send it back unchanged. */
  readonly issued_at: string;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the receipt without its signatures, in canonical form (RFC 8785). */
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  /** Signing key; `receipt-v1` by default. */
  readonly kid?: string | undefined;
  /** HMAC-SHA256 of `payload_hash`, base64url; `verify_receipt` checks it. */
  readonly signature: string;
  /** Signatures of the canonical form, verifiable with the published keys. */
  readonly signatures?: readonly PublicSignature[] | undefined;
}

/** Kind of the proof. */
export type ReceiptKind = "booking_confirmed" | "booking_cancelled" | "refund_issued";

/** Signed proof of a change; see `verify_receipt`. */
export type ReceiptOrNull = {
  readonly kind: ReceiptKind;
  /** Address of the signing service. */
  readonly issuer: string;
  /** RFC 3339, UTC, milliseconds; signed as text: send it back unchanged. */
  readonly issued_at: string;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** SHA-256 of the receipt without its signatures, in canonical form (RFC 8785). */
  readonly payload_hash: string;
  readonly algorithm: "HS256";
  /** Signing key; `receipt-v1` by default. */
  readonly kid?: string | undefined;
  /** HMAC-SHA256 of `payload_hash`, base64url; `verify_receipt` checks it. */
  readonly signature: string;
  /** Signatures of the canonical form, verifiable with the published keys. */
  readonly signatures?: readonly PublicSignature[] | undefined;
} | null;

export interface RecoverWebhookRequest {
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly since: string;
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly until?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
  /** a list of 1 to 52 different items */
  readonly kinds?:
    | readonly (
        | "property.created"
        | "property.replaced"
        | "property.deleted"
        | "property.promoted"
        | "property.suspended"
        | "property.archived"
        | "ari.changed"
        | "fx.changed"
        | "credential.rotated"
        | "delegation_issuer.status_changed"
        | "webhook.endpoint_disabled"
        | "webhook.endpoint_recovered"
        | "feed.generated"
        | "feed.failed"
        | "payments.reconciled"
        | "hold.created"
        | "hold.extended"
        | "hold.released"
        | "hold.expired"
        | "payment.pending"
        | "payment.referenced"
        | "payment.captured"
        | "payment.failed"
        | "payment.unknown"
        | "payment.outcome_unknown"
        | "payment.disputed"
        | "payment.dispute_closed"
        | "booking.confirmed"
        | "booking.modified"
        | "booking.cancelled"
        | "booking.checked_in"
        | "booking.check_in_undone"
        | "booking.no_show"
        | "booking.completed"
        | "booking.note_added"
        | "guest.erased"
        | "refund.requested"
        | "refund.succeeded"
        | "refund.failed"
        | "refund.settled_elsewhere"
        | "authorization.requested"
        | "authorization.approved"
        | "authorization.revoked"
        | "authorization.consumed"
        | "authorization.returned"
        | "authorization_policy.changed"
        | "inventory.oversell_detected"
        | "inventory.oversell_acknowledged"
        | "inventory.oversell_action_taken"
        | "inventory.oversell_resolved"
        | "inventory.oversell_accepted"
        | "test_clock.set"
      )[]
    | undefined;
  /** text of 1 to 64 characters: the id of a property */
  readonly property_id?: string | undefined;
  /** Only events of this subject, such as `booking:bkg_…`. */
  readonly subject?: string | undefined;
  /**
   * one of address, dns, connect, tls, timeout, invalid_answer, http_4xx, http_5xx, gone,
   * too_many_redirects, payload_refused, endpoint_disabled, endpoint_narrowed, event_lost,
   * nothing_to_send
   */
  readonly reason?:
    | "address"
    | "dns"
    | "connect"
    | "tls"
    | "timeout"
    | "invalid_answer"
    | "http_4xx"
    | "http_5xx"
    | "gone"
    | "too_many_redirects"
    | "payload_refused"
    | "endpoint_disabled"
    | "endpoint_narrowed"
    | "event_lost"
    | "nothing_to_send"
    | undefined;
  /** Only those whose last response had this HTTP status. */
  readonly status?: number | undefined;
  /** True: only count them. */
  readonly dry_run?: boolean | undefined;
}

/** A refund. */
export interface Refund {
  /** The refund. */
  readonly refund_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The payment. */
  readonly payment_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly state: RefundState;
  /** Why it is refunded. */
  readonly reason: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Why it failed; null otherwise. */
  readonly failure_reason: string | null;
  /** Next step after a failure; null otherwise. */
  readonly next_step: string | null;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  /** Opaque id. */
  readonly retried_by?: string | undefined;
  readonly method?: OtherMethod | undefined;
  /** The refund failed after its success: its receipt proves nothing. */
  readonly receipt_void?: boolean | undefined;
}

/** The payment provider declined a refund, or could not complete it after its success. */
export interface RefundFailedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.failed";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: RefundFailedEventData;
}

/** Data of the event. */
export interface RefundFailedEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The provider's own code. */
  readonly provider_code: string | null;
  /** The refund had succeeded: its receipt is void, the amount is refundable again. */
  readonly after_success?: boolean | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly state: "failed";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** A booking's payment, in minor units. */
export type RefundFigures = {
  /** Minor units of the currency (ISO 4217). */
  readonly captured: number;
  /** Minor units of the currency (ISO 4217). */
  readonly refunded: number;
  /** Minor units of the currency (ISO 4217). */
  readonly pending: number;
  /** Minor units of the currency (ISO 4217). */
  readonly remaining: number;
  /** Minor units of the currency (ISO 4217). */
  readonly disputed?: number | undefined;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

/** The refund; `refund_id` is null if nothing is refunded. */
export interface RefundOwed {
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The refund. */
  readonly refund_id: string | null;
}

/**
 * Why it is refunded; `late_capture`: captured after its hold had ended; from `requested` on: by
 * the property.
 */
export type RefundReason =
  | "cancellation"
  | "no_show"
  | "late_capture"
  | "modification"
  | "requested"
  | "service"
  | "goodwill"
  | "duplicate"
  | "other";

/** A refund was requested. */
export interface RefundRequestedEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.requested";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: RefundRequestedEventData;
}

/** Data of the event. */
export interface RefundRequestedEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** The property. */
  readonly property_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
  /** Opaque id. */
  readonly retry_of?: string | undefined;
  readonly state: "pending";
  /** The agent. */
  readonly agent_id: string;
}

/** The property gave the money of a failed refund back itself, with its receipt. */
export interface RefundSettledElsewhereEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.settled_elsewhere";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: RefundSettledElsewhereEventData;
}

/** Data of the event. */
export interface RefundSettledElsewhereEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly method: OtherMethod;
  readonly receipt: Receipt;
  readonly state: "succeeded";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** `pending` until the payment provider has answered. */
export type RefundState = "pending" | "succeeded" | "failed";

/** A refund succeeded, with its receipt. */
export interface RefundSucceededEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "refund.succeeded";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: RefundSucceededEventData;
}

/** Data of the event. */
export interface RefundSucceededEventData {
  /** The refund. */
  readonly refund_id: string;
  /** The payment. */
  readonly payment_id: string;
  /** The booking. */
  readonly booking_id: string | null;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly receipt: Receipt;
  readonly state: "succeeded";
  /** The property. */
  readonly property_id: string;
  /** The agent. */
  readonly agent_id: string;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly reason: RefundReason;
}

/** The refund. */
export type RefundSummary = {
  /** The refund. */
  readonly refund_id: string;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
  readonly state: RefundState;
  /** Why it failed, if it did. */
  readonly failure_reason?: string | undefined;
  /** Next step after a failure. */
  readonly next_step?: string | undefined;
} | null;

/** The refundable part of the prepaid amount if cancelled now: all, part or nothing. */
export type Refundability = "refundable" | "partially_refundable" | "non_refundable";

/** Purpose of a call; a closed vocabulary. */
export type Rel =
  | "search"
  | "quote"
  | "requote"
  | "create_hold"
  | "confirm"
  | "cancel"
  | "release"
  | "extend"
  | "retry"
  | "get"
  | "get_audit"
  | "get_refund"
  | "issue_refund";

/** A released hold. */
export interface ReleasedHold {
  /** The hold. */
  readonly hold_id: string;
  readonly state: "released";
  /** RFC 3339, UTC, milliseconds. */
  readonly released_at: string;
}

/** A booking that could be moved, best first. */
export interface RelocationCandidate {
  /** 1 for the first to move. */
  readonly rank: number;
  /** The booking. */
  readonly booking_id: string;
  readonly stay: Stay;
  /** Oversold nights that it takes. */
  readonly oversold_nights: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly booked_at: string;
  /**
   * `fewest_nights` and `latest_booked` of all candidates; `free_cancellation`: its terms charge
   * no fee now; `room_available`: another room type has the stay free.
   */
  readonly reasons: readonly (
    | "fewest_nights"
    | "latest_booked"
    | "free_cancellation"
    | "room_available"
  )[];
  readonly alternative: RelocationOffer;
}

/** Another room type that has the whole stay free. */
export type RelocationOffer = {
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  /** Units that are free on every night. */
  readonly sellable: number;
  /** Its present price less the booking's, minor units; a move waives it. */
  readonly difference: number;
  /** ISO 4217 code. */
  readonly currency: string;
} | null;

export interface ReplayMissingWebhookEventsRequest {
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly since: string;
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly until?: string | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A replaced secret, which still signs until it retires. */
export interface RetiringSecret {
  /** The secret's last characters. */
  readonly secret_hint: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string;
}

/** A revoked credential. */
export interface RevokedCredential {
  /** The agent. */
  readonly agent_id: string;
  /** The credential. */
  readonly credential_id: string;
  /** Prefix of the secret. */
  readonly prefix: string;
  /** The secret's last four characters. */
  readonly last4: string;
  readonly state: CredentialState;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly expires_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly retire_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly last_used_at: string | null;
}

/** Equal rooms of a property. */
export interface RoomType {
  /** Opaque id. */
  readonly id: string;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description: string | null;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  /** In words, such as `king` or `twin`. */
  readonly bed_type: string | null;
  /** Square metres. */
  readonly floor_size_sqm: number | null;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities: readonly string[];
  /** Addresses of pictures. */
  readonly images: readonly string[];
  /** Whether guests may smoke. */
  readonly smoking_allowed: boolean;
  /** Units of a night without a value by date. */
  readonly default_inventory: number;
  readonly rate_plans: readonly RatePlan[];
}

/** Equal rooms with their rate plans. */
export interface RoomTypeInput {
  /** a UUID in lower case */
  readonly id?: string | undefined;
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** In a few sentences, for travelers. */
  readonly description?: string | null | undefined;
  /** Maximum number of guests. */
  readonly max_occupancy: number;
  /** Guests covered by the rate. */
  readonly included_occupancy?: number | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly bed_type?: string | null | undefined;
  /** Square metres. */
  readonly floor_size_sqm?: number | null | undefined;
  /** Codes such as `wifi` or `parking`. */
  readonly amenities?: readonly string[] | undefined;
  /** Addresses of pictures. */
  readonly images?: readonly string[] | undefined;
  /** Whether guests may smoke. */
  readonly smoking_allowed?: boolean | undefined;
  /** Units of a night without a value by date. */
  readonly default_inventory: number;
  /** Units that may be sold beyond capacity. */
  readonly overbooking_limit?: number | undefined;
  readonly rate_plans?: readonly RatePlanInput[] | undefined;
}

export interface RotateCredentialRequest {
  /** Seconds for which the previous one still works. */
  readonly overlap_s?: number | undefined;
  /** an instant as RFC 3339, like 2027-01-31T12:00:00Z */
  readonly expires_at?: string | null | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface RotateWebhookSecretRequest {
  /** Seconds for which the previous one still works. */
  readonly overlap_s?: number | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** The new credential and the replaced one. */
export interface RotatedCredential {
  /** The agent. */
  readonly agent_id: string;
  readonly credential: IssuedCredential;
  readonly previous: Credential;
}

/** To the next multiple of `round_to`, or the next higher or lower one. */
export type Rounding = "half_up" | "up" | "down";

export interface RunFeedRequest {
  /** true to publish even with far fewer listings than before */
  readonly accept_shrink?: boolean | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** What a credential may do. */
export type Scope =
  | "supply:read"
  | "search"
  | "quotes"
  | "holds"
  | "bookings:read"
  | "bookings:write"
  | "bookings:cancel"
  | "admin:*"
  | "admin:agents"
  | "admin:ai-config"
  | "admin:ari"
  | "admin:audit"
  | "admin:authorization-policy"
  | "admin:booking-authorizations"
  | "admin:bookings"
  | "admin:delegation-issuers"
  | "admin:events"
  | "admin:feeds"
  | "admin:fx"
  | "admin:guests"
  | "admin:holds"
  | "admin:kpis"
  | "admin:oversell-incidents"
  | "admin:payments"
  | "admin:properties"
  | "admin:refunds"
  | "admin:test-clock"
  | "admin:webhooks";

/** Results of a search: complete, best first. */
export interface Search {
  readonly results: readonly SearchResult[];
  readonly no_results: NoResults;
  /** Only for a destination of type `property`. */
  readonly misses?: readonly SearchMiss[] | undefined;
  /**
   * Only for an unknown place: known places, most similar first; or if no property is around the
   * point: the nearest places.
   */
  readonly suggestions?: readonly KnownPlace[] | undefined;
}

/** Constraints on offers. */
export interface SearchConstraints {
  readonly max_price_per_night?: Money | undefined;
  readonly meal_plan?: MealPlan | undefined;
  readonly cancellation?: CancellationWish | undefined;
  /** a number from 0 to 7: minimum stars; unrated hotels have less than 0 */
  readonly min_star_rating?: number | undefined;
  /**
   * codes of at most 20 amenities (`wifi`, `pool`); the property and the room type together have
   * all of them
   */
  readonly amenities?: readonly string[] | undefined;
  /** words in the room's bed type: `king`, `2 single beds` */
  readonly bed_type?: string | undefined;
  readonly refundability?: Refundability | undefined;
}

/** Why a requested property has no offer. */
export interface SearchMiss {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  readonly blocking: readonly Blocking[];
  readonly alternatives: readonly Alternative[];
}

export interface SearchRequest {
  readonly destination?: Destination | undefined;
  readonly stay: Stay;
  readonly guests: Guests;
  readonly constraints?: SearchConstraints | undefined;
  readonly sort?: SortOrder | undefined;
}

/** A property with its cheapest offer for the stay. */
export interface SearchResult {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** Its page for travelers is `/book/{slug}`. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** Official stars, 0 to 7. */
  readonly star_rating: number | null;
  readonly address: ShortAddress;
  readonly geo: Geo;
  /** Its first image. */
  readonly image: string | null;
  /** Metres from the requested point; null without a point. */
  readonly distance_m: number | null;
  /**
   * Score; 1 is best. 0.5 is the middle of the results, 0.25 less at ten times the total; a star
   * or free cancellation counts as 15 % of the price, a kilometre from the point as a tenth of
   * it.
   */
  readonly rank_score: number;
  /** Reasons for its rank. */
  readonly explanation: readonly string[];
  readonly best_offer: Offer;
}

/** A mail that was sent again. */
export interface SentNotification {
  /** The booking. */
  readonly booking_id: string;
  /** Subject of the mail. */
  readonly notification: "confirmation" | "modification" | "cancellation";
  /** The mail's `Message-ID`, without `<` and `>`. */
  readonly message_id: string;
  /**
   * `smtp`: accepted by the mail server. `outbox`: written as a file, because no mail server is
   * configured or the booking is in mode test.
   */
  readonly via: "smtp" | "outbox";
}

/** Short address. */
export interface ShortAddress {
  /** Name of the city. */
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/**
 * Order of results. `rank`: best first; `price`: lowest total first; `distance`: nearest to the
 * point first, by rank without a point. By default, results around a point are ordered by
 * distance, all others by rank.
 */
export type SortOrder = "rank" | "price" | "distance";

/** Nights from `check_in` up to, not including, `check_out`. */
export interface Stay {
  /** Date in the property's own zone. */
  readonly check_in: string;
  /** Date in the property's own zone. */
  readonly check_out: string;
}

/** Why a stay can or cannot be sold, now or as of then; agrees with quotes and holds. */
export interface StayExplanation {
  /** The property; ids and slugs of `/v1/properties` are the same. */
  readonly hotel_id: string;
  /** The room type. */
  readonly room_type_id: string;
  /** The rate plan. */
  readonly rate_plan_id: string;
  readonly stay: Stay;
  readonly guests: Guests;
  /** The agent; null: any agent. */
  readonly agent_id: string | null;
  /** Whether a quote and a hold of it would succeed. */
  readonly is_sellable: boolean;
  /** Units that could be held. */
  readonly sellable: number;
  readonly checks: readonly ExplainedCheck[];
  readonly nights: readonly ExplainedNight[];
  readonly price: ExplainedPrice;
  readonly alternatives: readonly Alternative[];
  readonly as_of?: KpiMoment | undefined;
}

/** Guests who stay for the night. */
export interface StayingBookings {
  /** Number of all, of which `items` has the first. */
  readonly total: number;
  readonly items: readonly DeskBooking[];
}

/** Type of an event's subject. */
export type SubjectType =
  | "property"
  | "hold"
  | "payment"
  | "booking"
  | "refund"
  | "authorization"
  | "incident"
  | "credential"
  | "delegation_issuer"
  | "webhook_endpoint"
  | "feed"
  | "tenant";

/** Basis of a tax or fee; `percent` is of the price, in basis points. */
export type TaxBasis = "percent" | "per_stay" | "per_night" | "per_person" | "per_person_per_night";

/** `prepaid`: captured at booking. `at_property`: paid by the guest at the property. */
export type TaxCollection = "prepaid" | "at_property";

/** A tax of this stay. */
export interface TaxLine {
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** Display name. */
  readonly name: string;
  readonly basis: TaxBasis;
  /** Basis points, where it is a percentage. */
  readonly rate_bps?: number | undefined;
  /** Minor units of the currency (ISO 4217). */
  readonly unit_amount?: number | undefined;
  /** True if the rate already includes it. */
  readonly included_in_rate: boolean;
  readonly collect: TaxCollection;
  /** Minor units of the currency (ISO 4217). */
  readonly amount: number;
}

/** A tax or fee. */
export interface TaxRule {
  /** The property's short code, such as `DBL` or `FLEX`. */
  readonly code: string;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name: string;
  /** one of tax, fee */
  readonly kind: "tax" | "fee";
  readonly basis: TaxBasis;
  /** Basis points, for a percentage: 1000 is ten percent. */
  readonly rate_bps?: number | undefined;
  /** Minor units, for a fixed amount. */
  readonly amount?: number | undefined;
  /** True if the rate already includes it. */
  readonly included_in_rate: boolean;
  readonly collect: TaxCollection;
  /** From this age on, in full years. */
  readonly min_age?: number | undefined;
  /** Maximum number of nights charged. */
  readonly max_nights?: number | undefined;
  /** a date as YYYY-MM-DD */
  readonly valid_from?: string | undefined;
  /** a date as YYYY-MM-DD */
  readonly valid_to?: string | undefined;
  /** Order of calculation. */
  readonly order?: number | undefined;
  /** True if it also applies to earlier taxes. */
  readonly compound?: boolean | undefined;
}

/** What time it is in the tenant's test mode. */
export interface TestClock {
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
  /** Seconds that test mode is ahead of real time. */
  readonly offset_s: number;
}

/** The test clock of the tenant was advanced or reset. */
export interface TestClockSetEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "test_clock.set";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: TestClockSetEventData;
}

/** Data of the event. */
export interface TestClockSetEventData {
  /** Seconds that test mode is ahead from here on. */
  readonly offset_s: number;
  /** Seconds that it was ahead before. */
  readonly previous_offset_s: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly now: string;
}

export interface TestIssuerRequest {
  /** A token of the issuer. */
  readonly token: string;
}

export interface TestWebhookRequest {
  /**
   * one of webhook.test, property.created, property.replaced, property.deleted,
   * property.promoted, property.suspended, property.archived, ari.changed, fx.changed,
   * credential.rotated, delegation_issuer.status_changed, webhook.endpoint_disabled,
   * webhook.endpoint_recovered, feed.generated, feed.failed, payments.reconciled, hold.created,
   * hold.extended, hold.released, hold.expired, payment.pending, payment.referenced,
   * payment.captured, payment.failed, payment.unknown, payment.outcome_unknown,
   * payment.disputed, payment.dispute_closed, booking.confirmed, booking.modified,
   * booking.cancelled, booking.checked_in, booking.check_in_undone, booking.no_show,
   * booking.completed, booking.note_added, guest.erased, refund.requested, refund.succeeded,
   * refund.failed, refund.settled_elsewhere, authorization.requested, authorization.approved,
   * authorization.revoked, authorization.consumed, authorization.returned,
   * authorization_policy.changed, inventory.oversell_detected, inventory.oversell_acknowledged,
   * inventory.oversell_action_taken, inventory.oversell_resolved, inventory.oversell_accepted,
   * test_clock.set
   */
  readonly kind?:
    | "webhook.test"
    | "property.created"
    | "property.replaced"
    | "property.deleted"
    | "property.promoted"
    | "property.suspended"
    | "property.archived"
    | "ari.changed"
    | "fx.changed"
    | "credential.rotated"
    | "delegation_issuer.status_changed"
    | "webhook.endpoint_disabled"
    | "webhook.endpoint_recovered"
    | "feed.generated"
    | "feed.failed"
    | "payments.reconciled"
    | "hold.created"
    | "hold.extended"
    | "hold.released"
    | "hold.expired"
    | "payment.pending"
    | "payment.referenced"
    | "payment.captured"
    | "payment.failed"
    | "payment.unknown"
    | "payment.outcome_unknown"
    | "payment.disputed"
    | "payment.dispute_closed"
    | "booking.confirmed"
    | "booking.modified"
    | "booking.cancelled"
    | "booking.checked_in"
    | "booking.check_in_undone"
    | "booking.no_show"
    | "booking.completed"
    | "booking.note_added"
    | "guest.erased"
    | "refund.requested"
    | "refund.succeeded"
    | "refund.failed"
    | "refund.settled_elsewhere"
    | "authorization.requested"
    | "authorization.approved"
    | "authorization.revoked"
    | "authorization.consumed"
    | "authorization.returned"
    | "authorization_policy.changed"
    | "inventory.oversell_detected"
    | "inventory.oversell_acknowledged"
    | "inventory.oversell_action_taken"
    | "inventory.oversell_resolved"
    | "inventory.oversell_accepted"
    | "test_clock.set"
    | undefined;
}

/** The traveler who gave consent, by token or on the page. */
export interface Traveler {
  /**
   * The issuer of the traveler's token; `<BASE_URL>/checkout` of the checkout page,
   * `<BASE_URL>/desk` of a booking by the property.
   */
  readonly iss: string;
  /**
   * The traveler; null after an erasure. Like the price and the policy it may be left out of the
   * answer to a booking that the answering process has not seen yet.
   */
  readonly sub?: string | null | undefined;
}

export interface UpdateAgentRequest {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name?: string | undefined;
  readonly state?: AccessState | undefined;
  /** a list of 0 to 28 different items */
  readonly scopes?: readonly Scope[] | undefined;
  /** a list of 0 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  readonly limits?: AgentLimitsInput | undefined;
  /** Contact of the agent. */
  readonly contact?: string | null | undefined;
  /** a list of 0 to 10 different items */
  readonly return_origins?: readonly string[] | undefined;
  /** True: guests book through it on the hotels' own pages. */
  readonly sells_directly?: boolean | undefined;
  readonly daily_summary?: DailySummaryInput | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface UpdateIssuerRequest {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name?: string | undefined;
  /** a list of 1 to 20 different items */
  readonly allowed_audiences?: readonly string[] | undefined;
  /** a list of 1 to 2 different items */
  readonly allowed_algs?: readonly DelegationAlg[] | undefined;
  /** Maximum lifetime of a token in seconds. */
  readonly max_ttl_s?: number | undefined;
  /** Tolerated clock difference in seconds. */
  readonly clock_skew_s?: number | undefined;
  /** Address of its keys; null if `jwks` is set. */
  readonly jwks_url?: string | undefined;
  readonly jwks?: DelegationKeySet | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface UpdatePersonRequest {
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly name?: string | undefined;
  /** an e-mail address */
  readonly email?: string | null | undefined;
  readonly state?: AccessState | undefined;
  /** a list of 0 to 28 different items */
  readonly scopes?: readonly Scope[] | undefined;
  /** a list of 0 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

export interface UpdateWebhookRequest {
  /** an https address of a public host */
  readonly url?: string | undefined;
  /** a list of 1 to 52 different items */
  readonly events?: readonly EventFilter[] | undefined;
  /** text of 1 to 200 characters, not blank and without control characters */
  readonly description?: string | null | undefined;
  /** a list of 1 to 1000 different items */
  readonly property_ids?: readonly string[] | null | undefined;
  /** a list of 1 to 100 different items */
  readonly subjects?: readonly string[] | null | undefined;
  /** Sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** a list of 0 to 1 different items */
  readonly scopes?: readonly "bookings:read"[] | undefined;
  /** Maximum concurrent deliveries. */
  readonly max_in_flight?: number | undefined;
  /** Maximum deliveries per second. */
  readonly max_per_s?: number | null | undefined;
  readonly ordering?: WebhookOrdering | undefined;
  readonly ota?: OtaSettingsInput | undefined;
  /** Instead of the `Idempotency-Key` header; the same key for the same intent. */
  readonly idempotency_key?: string | undefined;
}

/** A receipt with a valid signature. */
export interface VerifiedReceipt {
  /** True; an invalid receipt is refused instead. */
  readonly valid: boolean;
  readonly kind: ReceiptKind;
  /** Subject of the receipt: ids and hashes as texts, amounts as numbers. */
  readonly subject: Readonly<Record<string, unknown>>;
  /** RFC 3339, UTC, milliseconds. */
  readonly issued_at: string;
  /** Address of the signing service. */
  readonly issuer: string;
  /** Id of the signing key. */
  readonly kid: string;
}

/** One attempt of a delivery. */
export interface WebhookAttempt {
  /** Number of the attempt, from 1. */
  readonly nth: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Milliseconds until the response. */
  readonly latency_ms: number;
  /**
   * Why it failed. `address`: Events may not be sent to this address. `dns`: The host name does
   * not resolve to a permitted address. `connect`: The connection was refused or failed. `tls`:
   * TLS failed: certificate, host name or protocol. `timeout`: No answer within the time limit.
   * `invalid_answer`: The answer is cut off, is not HTTP, or does not confirm a partner message.
   * `http_4xx`: The receiver refused the request. `http_5xx`: The receiver failed. `gone`: The
   * receiver answered 410: it wants no more events. `too_many_redirects`: The receiver answered
   * with a redirect; redirects are not followed. `payload_refused`: The receiver refused the
   * payload: 413 or 422. `endpoint_disabled`: The endpoint was disabled before the delivery was
   * made. `endpoint_narrowed`: The endpoint's filter no longer includes the property.
   * `event_lost`: The journal no longer contains the event. `nothing_to_send`: All affected
   * nights are in the past.
   */
  readonly reason: string | null;
  /** Status of the receiver's last answer. */
  readonly status: number | null;
  /** IP address of the receiver; null when not connected. */
  readonly address: string | null;
  /** `x-request-id`, for the receiver's log. */
  readonly request_id: string;
  /** Request headers, secrets masked. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** Response headers. */
  readonly response_headers: Readonly<Record<string, string>>;
  /** The first KiB of the response; empty if the event names a guest. */
  readonly excerpt: string;
}

/** One event to one endpoint. */
export interface WebhookDelivery {
  /** The delivery. */
  readonly delivery_id: string;
  /** The event's id: `webhook-id` of every delivery of it, replays included. */
  readonly webhook_id: string;
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** The kind of the event. */
  readonly kind: string;
  /** `booking:bkg_…` */
  readonly subject: string;
  /** The property. */
  readonly property_id: string | null;
  /** Number of the event. */
  readonly seq: number;
  /** Number of the previous event sent to this endpoint. */
  readonly prev_seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly event_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  readonly state: DeliveryState;
  /** Number of attempts. */
  readonly attempt_count: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly next_attempt_at: string | null;
  /**
   * Why it failed. `address`: Events may not be sent to this address. `dns`: The host name does
   * not resolve to a permitted address. `connect`: The connection was refused or failed. `tls`:
   * TLS failed: certificate, host name or protocol. `timeout`: No answer within the time limit.
   * `invalid_answer`: The answer is cut off, is not HTTP, or does not confirm a partner message.
   * `http_4xx`: The receiver refused the request. `http_5xx`: The receiver failed. `gone`: The
   * receiver answered 410: it wants no more events. `too_many_redirects`: The receiver answered
   * with a redirect; redirects are not followed. `payload_refused`: The receiver refused the
   * payload: 413 or 422. `endpoint_disabled`: The endpoint was disabled before the delivery was
   * made. `endpoint_narrowed`: The endpoint's filter no longer includes the property.
   * `event_lost`: The journal no longer contains the event. `nothing_to_send`: All affected
   * nights are in the past.
   */
  readonly reason: string | null;
  /** Status of the receiver's last answer. */
  readonly status: number | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly settled_at: string | null;
  readonly trigger: DeliveryTrigger;
  /** The delivery that this one repeats. */
  readonly replay_of: string | null;
  /** The latest delivery that repeats it; a dead letter with one is handled. */
  readonly replayed_as: string | null;
  /** With `per_subject`: the `webhook-id` of the previous event, a dead letter. */
  readonly after_dead_letter: string | null;
  /** The reason given for discarding it. */
  readonly discard_reason: string | null;
}

/** A delivery with all of its attempts. */
export interface WebhookDeliveryDetail {
  /** The delivery. */
  readonly delivery_id: string;
  /** The event's id: `webhook-id` of every delivery of it, replays included. */
  readonly webhook_id: string;
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** The kind of the event. */
  readonly kind: string;
  /** `booking:bkg_…` */
  readonly subject: string;
  /** The property. */
  readonly property_id: string | null;
  /** Number of the event. */
  readonly seq: number;
  /** Number of the previous event sent to this endpoint. */
  readonly prev_seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly event_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  readonly state: DeliveryState;
  /** Number of attempts. */
  readonly attempt_count: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly next_attempt_at: string | null;
  /**
   * Why it failed. `address`: Events may not be sent to this address. `dns`: The host name does
   * not resolve to a permitted address. `connect`: The connection was refused or failed. `tls`:
   * TLS failed: certificate, host name or protocol. `timeout`: No answer within the time limit.
   * `invalid_answer`: The answer is cut off, is not HTTP, or does not confirm a partner message.
   * `http_4xx`: The receiver refused the request. `http_5xx`: The receiver failed. `gone`: The
   * receiver answered 410: it wants no more events. `too_many_redirects`: The receiver answered
   * with a redirect; redirects are not followed. `payload_refused`: The receiver refused the
   * payload: 413 or 422. `endpoint_disabled`: The endpoint was disabled before the delivery was
   * made. `endpoint_narrowed`: The endpoint's filter no longer includes the property.
   * `event_lost`: The journal no longer contains the event. `nothing_to_send`: All affected
   * nights are in the past.
   */
  readonly reason: string | null;
  /** Status of the receiver's last answer. */
  readonly status: number | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly settled_at: string | null;
  readonly trigger: DeliveryTrigger;
  /** The delivery that this one repeats. */
  readonly replay_of: string | null;
  /** The latest delivery that repeats it; a dead letter with one is handled. */
  readonly replayed_as: string | null;
  /** With `per_subject`: the `webhook-id` of the previous event, a dead letter. */
  readonly after_dead_letter: string | null;
  /** The reason given for discarding it. */
  readonly discard_reason: string | null;
  /** Attempts, in order. */
  readonly attempts: readonly WebhookAttempt[];
  readonly request: WebhookRequest;
}

/** Complete list. One event to one endpoint. */
export interface WebhookDeliveryList {
  readonly items: readonly WebhookDelivery[];
}

/** A webhook address of a tenant. */
export interface WebhookEndpoint {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** Address of the receiver. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly ota: OtaSettings;
  /** The operator's description. */
  readonly description: string | null;
  /** Kinds of events; `["*"]` for all. */
  readonly events: readonly string[];
  /** Only events of these properties; null for all. */
  readonly property_ids: readonly string[] | null;
  /** Only events of these subjects; null for all. */
  readonly subjects: readonly string[] | null;
  /** The tenant's own headers, sent with every delivery; values are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** `bookings:read` includes guest data in events. */
  readonly scopes: readonly string[];
  /** Maximum concurrent deliveries. */
  readonly max_in_flight: number;
  /** Maximum deliveries per second. */
  readonly max_per_s: number | null;
  readonly ordering: WebhookOrdering;
  readonly state: WebhookState;
  readonly mode: Mode;
  readonly paused_reason: PausedReason;
  readonly disabled_reason: DisabledReason;
  /** RFC 3339, UTC, milliseconds. */
  readonly disabled_at: string | null;
  /** Last time it was disabled: `since` for `replay_missing`; null if never. */
  readonly missed_since: string | null;
  /** Creation of the oldest dead letter: `since` for `recover`; null without one. */
  readonly oldest_dead_letter_at: string | null;
  /** While active: time since which no delivery has succeeded. */
  readonly failing_since: string | null;
  readonly ping: WebhookPing;
  /** Last characters of the current secret. */
  readonly secret_hint: string;
  /** Replaced secrets, which still sign until they retire. */
  readonly retiring_secrets: readonly RetiringSecret[];
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
}

/** A webhook endpoint was disabled; it receives nothing until it is resumed. */
export interface WebhookEndpointDisabledEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "webhook.endpoint_disabled";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: WebhookEndpointDisabledEventData;
}

/** Data of the event. */
export interface WebhookEndpointDisabledEventData {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /**
   * `gone`: it answered 410. `failing`: no success for days. `backlog`: paused with too many or
   * too old events. `operator`: disabled by an operator.
   */
  readonly reason: "gone" | "failing" | "backlog" | "operator";
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** Complete list. A webhook address of a tenant. */
export interface WebhookEndpointList {
  readonly items: readonly WebhookEndpoint[];
}

/** A webhook endpoint receives events again after it was disabled. */
export interface WebhookEndpointRecoveredEvent {
  /** The same id by pull, stream and webhook. */
  readonly id: string;
  readonly type: "webhook.endpoint_recovered";
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** Version of this format. */
  readonly api_version: string;
  /** The tenant. */
  readonly tenant_id: string;
  readonly mode: Mode;
  /** Number of the event, dense per tenant and mode. */
  readonly seq: number;
  /** `seq` of the previous event in this list; before the first, the requested `after_seq`. */
  readonly prev_seq: number;
  /** The person who caused it for an operator; see `GET /v1/admin/people`. */
  readonly person_id?: string | undefined;
  readonly subject: EventSubject;
  readonly data: WebhookEndpointRecoveredEventData;
}

/** Data of the event. */
export interface WebhookEndpointRecoveredEventData {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly disabled_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** An endpoint with its secret, which is shown once. */
export interface WebhookEndpointWithSecret {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** Address of the receiver. */
  readonly url: string;
  readonly format: WebhookFormat;
  readonly ota: OtaSettings;
  /** The operator's description. */
  readonly description: string | null;
  /** Kinds of events; `["*"]` for all. */
  readonly events: readonly string[];
  /** Only events of these properties; null for all. */
  readonly property_ids: readonly string[] | null;
  /** Only events of these subjects; null for all. */
  readonly subjects: readonly string[] | null;
  /** The tenant's own headers, sent with every delivery; values are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** `bookings:read` includes guest data in events. */
  readonly scopes: readonly string[];
  /** Maximum concurrent deliveries. */
  readonly max_in_flight: number;
  /** Maximum deliveries per second. */
  readonly max_per_s: number | null;
  readonly ordering: WebhookOrdering;
  readonly state: WebhookState;
  readonly mode: Mode;
  readonly paused_reason: PausedReason;
  readonly disabled_reason: DisabledReason;
  /** RFC 3339, UTC, milliseconds. */
  readonly disabled_at: string | null;
  /** Last time it was disabled: `since` for `replay_missing`; null if never. */
  readonly missed_since: string | null;
  /** Creation of the oldest dead letter: `since` for `recover`; null without one. */
  readonly oldest_dead_letter_at: string | null;
  /** While active: time since which no delivery has succeeded. */
  readonly failing_since: string | null;
  readonly ping: WebhookPing;
  /** Last characters of the current secret. */
  readonly secret_hint: string;
  /** Replaced secrets, which still sign until they retire. */
  readonly retiring_secrets: readonly RetiringSecret[];
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** Counts the object's changes. */
  readonly version: number;
  /** `whsec_…`, to verify signatures. Null in a replay: it is shown once. */
  readonly secret: string | null;
  /** With a null secret: what to do if it was lost. */
  readonly secret_note?: string | undefined;
}

/** `json`: events; otherwise OpenTravel messages for partners. */
export type WebhookFormat = "json" | "ota_rates" | "ota_availability" | "ota_inventory";

/** Attempts of one hour. */
export interface WebhookHour {
  /** RFC 3339, UTC, milliseconds. */
  readonly hour: string;
  /** Number of attempts. */
  readonly attempts: number;
  /** Successful deliveries. */
  readonly succeeded: number;
  /** Deliveries without remaining attempts. */
  readonly dead_lettered: number;
  /** Mean response time, milliseconds. */
  readonly latency_ms_mean: number;
  /** Longest response time, milliseconds. */
  readonly latency_ms_max: number;
}

/** `per_subject`: an event waits until the previous one of its subject was delivered. */
export type WebhookOrdering = "none" | "per_subject";

/** Result of the last ping. */
export type WebhookPing = {
  /** Whether the response was 2xx in time. */
  readonly ok: boolean;
  /** Such as `timeout`, `tls` or `http_5xx`; null on success. */
  readonly reason: string | null;
  /** Status of the response; null without one. */
  readonly status: number | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
} | null;

/**
 * A recovery: deliveries of dead letters, or of events that an endpoint has missed. It runs in
 * the background, survives restarts and repeats nothing.
 */
export interface WebhookRecovery {
  /** Null in a dry run. */
  readonly recovery_id: string | null;
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** Recovered deliveries: dead letters, or missing events. */
  readonly of: "dead_letters" | "missing";
  /** `dry_run`: only counted. */
  readonly state: "dry_run" | "running" | "completed";
  /** RFC 3339, UTC, milliseconds. */
  readonly since: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly until: string;
  /** New deliveries so far; in a dry run the expected number. */
  readonly deliveries: number;
  readonly progress: WebhookRecoveryProgress;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string | null;
  /** RFC 3339, UTC, milliseconds. */
  readonly completed_at: string | null;
}

/** In dead letters, or in journal rows searched. */
export interface WebhookRecoveryProgress {
  /** Number done. */
  readonly done: number;
  /** Total number. */
  readonly of: number;
}

/** What the next attempt would send, to the endpoint's current address. */
export type WebhookRequest = {
  /** Address of the request. */
  readonly url: string;
  /** Sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>;
  /** The event as JSON, or the message as XML. */
  readonly body: string;
  /**
   * Shell commands that sign it with the secret in WEBHOOK_SECRET and send it. They contain no
   * secret.
   */
  readonly curl: string;
} | null;

/** A `paused` endpoint's events wait; a `disabled` one gets none. */
export type WebhookState = "active" | "paused" | "disabled";

/** Statistics of an endpoint. */
export interface WebhookStats {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly since: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly until: string;
  /** Deliveries that are due, scheduled or in flight. */
  readonly open: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly oldest_open_at: string | null;
  /** Dead letters not replayed or discarded. */
  readonly dead_letters: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly failing_since: string | null;
  /** Hours with attempts, oldest first. */
  readonly hours: readonly WebhookHour[];
}

/** Result of a test event. */
export interface WebhookTest {
  /** The webhook endpoint. */
  readonly endpoint_id: string;
  /** `webhook-id` of the event. */
  readonly event_id: string;
  /** The kind of the event. */
  readonly kind: string;
  /** Whether the response was 2xx in time. */
  readonly ok: boolean;
  /** Such as `timeout`, `tls` or `http_5xx`; null on success. */
  readonly reason: string | null;
  /** Status of the response; null without one. */
  readonly status: number | null;
  /** Milliseconds until the response. */
  readonly latency_ms: number;
  /** IP address of the receiver; null when not connected. */
  readonly address: string | null;
  /** `x-request-id`, for the receiver's log. */
  readonly request_id: string;
  /** Request headers; secrets and the tenant's own headers are masked. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** Request headers; secrets and the tenant's own headers are masked. */
  readonly response_headers: Readonly<Record<string, string>>;
  /** The first KiB of the response. */
  readonly excerpt: string;
}

/** A night, by the day on which it begins. */
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
