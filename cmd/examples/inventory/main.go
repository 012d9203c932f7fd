// Command inventory gives a hero and a merchant bags. Items of a sort are one stack; a trade moves
// items and coins, and the last action can be undone, since bags lie in the world's bytes; Go's
// slices beside them are a mistake: copies of the world would share them.
//
//	go run ./cmd/examples/inventory
package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

// A Stack is so many items of a sort.
type Stack struct{ Sort, Count uint32 }

// The sorts.
const (
	Coin uint32 = iota
	Sword
	Potion
)

var (
	Bag   = layout.NewList[Stack]("bag")
	Title = layout.NewText("title")
	hero  = world.NewRecipe("hero", Bag, Title).With(
		Title.Value("hero"), Bag.Value(Stack{Coin, 10}))
	merchant = world.NewRecipe("merchant", Bag, Title).With(
		Title.Value("merchant"), Bag.Value(Stack{Sword, 1}, Stack{Potion, 5}))
)

// errFew is the error of a bag that has too few items.
var errFew = errors.New("the bag has too few")

// Give puts items on the stack of their sort in a bag, or on a new one. A negative count takes
// items out of a bag, which must have as many.
func Give(s world.State, who world.GameObject, sort uint32, count int) (world.State, error) {
	bag, err := list.Of(s, who, Bag)
	if err != nil {
		return s, err
	}
	at := slices.IndexFunc(bag, func(stack Stack) bool { return stack.Sort == sort })
	if at < 0 && count > 0 {
		return list.Append(s, who, Bag, Stack{sort, uint32(count)})
	}
	if at < 0 || int(bag[at].Count)+count < 0 {
		return s, errFew
	}
	left := int(bag[at].Count) + count
	if left == 0 {
		return list.RemoveAt(s, who, Bag, at)
	}
	return list.SetAt(s, who, Bag, at, Stack{sort, uint32(left)})
}

// Trade gives items of a seller to a buyer, for coins. If one of them has too few, what was done
// until then is undone.
func Trade(
	s world.State, undo *world.Snapshot, buyer, seller world.GameObject, sort uint32, n, price int,
) world.State {
	world.Must(0, undo.Take(s))
	s, err := Give(s, seller, sort, -n)
	if err == nil {
		s, err = Give(s, buyer, sort, n)
	}
	if err == nil {
		s, err = Give(s, buyer, Coin, -price)
	}
	if err == nil {
		s, err = Give(s, seller, Coin, price)
	}
	if err != nil {
		fmt.Println("no trade:", err)
		return world.Must(world.Restore(s, undo))
	}
	return s
}

func main() {
	s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{hero, merchant}}))
	undo := world.Must(world.NewSnapshot(s))
	s, buyer := world.Must2(world.Spawn(s, hero))
	s, seller := world.Must2(world.Spawn(s, merchant))
	s = Trade(s, undo, buyer, seller, Potion, 2, 6)
	s = Trade(s, undo, buyer, seller, Sword, 1, 50)
	s = Trade(s, undo, buyer, seller, Sword, 1, 4)
	show(s, buyer, seller)
	show(world.Must(world.Restore(s, undo)), buyer, seller)
}

func show(s world.State, people ...world.GameObject) {
	for _, id := range people {
		fmt.Println(world.Must(list.Text(s, id, Title)), world.Must(list.Of(s, id, Bag)))
	}
}
