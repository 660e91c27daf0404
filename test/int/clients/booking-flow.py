"""A travel agent's program, written against nothing but the client that OpenAPI Generator makes of
the served document: search, quote, hold, book, read, cancel, verify. Arguments: base address,
agent's secret, delegation token. Prints what it came to as JSON.
"""

import json
import sys
from datetime import date, timedelta
from uuid import uuid4

import innkeep

base_url, secret, delegation = sys.argv[1:]
api = innkeep.ApiClient(innkeep.Configuration(host=base_url, access_token=secret))
supply, quotes, holds = innkeep.SupplyApi(api), innkeep.QuotesApi(api), innkeep.HoldsApi(api)
bookings, receipts = innkeep.BookingsApi(api), innkeep.ReceiptsApi(api)


def in_days(days):
    return (date.today() + timedelta(days=days)).isoformat()


stay = innkeep.Stay(check_in=in_days(40), check_out=in_days(42))
guests = innkeep.Guests(adults=2, children=[innkeep.Child(age=7)])
wishes = innkeep.SearchConstraints(meal_plan=innkeep.MealPlan.BREAKFAST)
found = supply.search(
    innkeep.SearchRequest(stay=stay, guests=guests, constraints=wishes)
).data.results[0]
offer = found.best_offer

quote = quotes.quote(
    innkeep.QuoteRequest(
        hotel_id=found.hotel_id,
        room_type_id=offer.room_type_id,
        rate_plan_id=offer.rate_plan_id,
        stay=stay,
        guests=guests,
    )
).data
hold = holds.hold(
    idempotency_key=str(uuid4()), hold_request=innkeep.HoldRequest(quote_id=quote.quote_id)
).data
booked = bookings.book(
    x_delegated_user=delegation,
    idempotency_key=str(uuid4()),
    book_request=innkeep.BookRequest(
        hold_id=hold.hold_id,
        quote_id=quote.quote_id,
        guest=innkeep.Guest(
            primary=innkeep.PrimaryGuest(full_name="Ada Lovelace", email="ada@example.com")
        ),
        payment=innkeep.PaymentInput(method="card", provider_token="tok_test_ok"),
    ),
)
booking_id = booked.data.booking_id
read = bookings.get_booking(booking_id).data
cancelled = bookings.cancel(
    booking_id, delegation, cancel_request=innkeep.CancelRequest(reason_code="changed_plans")
).data
audit = bookings.get_audit(booking_id).data
created = audit.events[0].actual_instance
assert isinstance(created, innkeep.AuditedHoldCreated)
verified = receipts.verify_receipt(booked.receipt).data

try:
    bookings.get_booking("bkg_unknown")
except innkeep.ApiException as refused:
    error = innkeep.ErrorEnvelope.from_json(refused.body).error

print(
    json.dumps(
        {
            "total": quote.price_breakdown.total,
            "paid": read.payment.amount,
            "state": read.state,
            "cancelled": cancelled.state,
            "refunded": cancelled.refund.amount if cancelled.refund else 0,
            "first": created.type,
            "valid": verified.valid,
            "code": error.code,
            "is_known": error.code == innkeep.ErrorCode.BOOKING_NOT_FOUND,
            "next": [action.rel for action in error.next_actions],
        }
    )
)
