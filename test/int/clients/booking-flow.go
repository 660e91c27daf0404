// A travel agent's program, written against nothing but the client that OpenAPI Generator makes of
// the served document: search, quote, hold, book, read, cancel, verify. Arguments: base address,
// agent's secret, delegation token. Prints what it came to as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/agent/innkeep"
)

func must[T any](answer T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func inDays(days int) string {
	return time.Now().UTC().AddDate(0, 0, days).Format("2006-01-02")
}

func newKey(call string) string {
	return fmt.Sprintf("%s-%d", call, time.Now().UnixNano())
}

func main() {
	baseURL, secret, delegation := os.Args[1], os.Args[2], os.Args[3]
	configuration := innkeep.NewConfiguration()
	configuration.Servers[0].URL = baseURL
	api := innkeep.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), innkeep.ContextAccessToken, secret)

	stay := *innkeep.NewStay(inDays(40), inDays(42))
	guests := *innkeep.NewGuests(2)
	guests.SetChildren([]innkeep.Child{*innkeep.NewChild(7)})
	wishes := innkeep.NewSearchConstraints()
	wishes.SetMealPlan(innkeep.MEALPLAN_BREAKFAST)
	search := innkeep.NewSearchRequest(stay, guests)
	search.SetConstraints(*wishes)
	found := must(api.SupplyAPI.Search(ctx).SearchRequest(*search).Execute()).Data.Results[0]
	offer := found.BestOffer

	asked := innkeep.NewQuoteRequest(found.HotelId, offer.RoomTypeId, offer.RatePlanId, stay, guests)
	quote := must(api.QuotesAPI.Quote(ctx).QuoteRequest(*asked).Execute()).Data
	hold := must(api.HoldsAPI.Hold(ctx).
		IdempotencyKey(newKey("hold")).
		HoldRequest(*innkeep.NewHoldRequest(quote.QuoteId)).
		Execute()).Data

	guest := *innkeep.NewGuest(*innkeep.NewPrimaryGuest("Ada Lovelace", "ada@example.com"))
	payment := *innkeep.NewPaymentInput("card", "tok_test_ok")
	booked := must(api.BookingsAPI.Book(ctx).
		XDelegatedUser(delegation).
		IdempotencyKey(newKey("book")).
		BookRequest(*innkeep.NewBookRequest(hold.HoldId, quote.QuoteId, guest, payment)).
		Execute())
	id := booked.Data.BookingId
	read := must(api.BookingsAPI.GetBooking(ctx, id).Execute()).Data
	reason := innkeep.NewCancelRequest()
	reason.SetReasonCode("changed_plans")
	cancelled := must(api.BookingsAPI.Cancel(ctx, id).
		XDelegatedUser(delegation).
		CancelRequest(*reason).
		Execute()).Data
	audit := must(api.BookingsAPI.GetAudit(ctx, id).Execute()).Data
	created := audit.Events[0].GetActualInstance().(*innkeep.AuditedHoldCreated)
	verified := must(api.ReceiptsAPI.VerifyReceipt(ctx).Receipt(*booked.Receipt).Execute()).Data

	_, _, err := api.BookingsAPI.GetBooking(ctx, "bkg_unknown").Execute()
	var refused *innkeep.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	refusal := refused.Model().(innkeep.ErrorEnvelope).Error

	ways := []innkeep.Rel{}
	for _, action := range refusal.NextActions {
		ways = append(ways, action.Rel)
	}

	// Amounts in minor units do not fit in 32 bits.
	var total int64 = quote.PriceBreakdown.Total
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"total":     total,
		"paid":      read.Payment.Get().Amount,
		"state":     read.State,
		"cancelled": cancelled.State,
		"refunded":  cancelled.Refund.Get().GetAmount(),
		"first":     created.Type,
		"valid":     verified.Valid,
		"code":      refusal.Code,
		"is_known":  refusal.Code == innkeep.ERRORCODE_BOOKING_NOT_FOUND,
		"next":      ways,
	})
}
