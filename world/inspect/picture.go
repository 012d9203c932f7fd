package inspect

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
)

// servePicture answers with a picture of a frame, as PNG. A picture that panics is an error.
func (i *Inspector) servePicture(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	err := i.lookAt(r.Context(), r.URL.Query().Get("at"), func(v *view) (err error) {
		if i.options.Picture == nil {
			return notFound("this program draws no picture; set Options.Picture")
		}
		defer func() {
			if x := recover(); x != nil {
				err = fmt.Errorf("the picture panicked: %s", goText(x))
			}
		}()
		return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&body,
			i.options.Picture(v.state))
	})
	if err != nil {
		refuseWith(w, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(body.Bytes()) // a reader that is gone is no error of ours
}
